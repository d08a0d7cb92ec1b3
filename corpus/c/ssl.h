/* States of both sides, and the messages between them. */
#ifndef SSL_H
#define SSL_H

enum server_state {
    SR_HELLO_REQUEST = 0x2100,
    SR_CLIENT_HELLO = 0x2110,
    SR_SERVER_HELLO = 0x2120,
    SR_SERVER_CERT = 0x2130,
    SR_SERVER_KEY = 0x2140,
    SR_CERT_REQUEST = 0x2150,
    SR_SERVER_DONE = 0x2160,
    SR_CLIENT_CERT = 0x2170,
    SR_CLIENT_KEY = 0x2180,
    SR_CERT_VERIFY = 0x2190,
    SR_CLIENT_CCS = 0x21a0,
    SR_CLIENT_FINISHED = 0x21b0,
    SR_SERVER_CCS = 0x21c0,
    SR_SERVER_FINISHED = 0x21d0,
    SR_OPEN = 0x21e0,
    SR_CLOSED = 2,
    SR_OK = 3,
    SR_ERROR = 4
};

enum client_state {
    CR_START = 0x1100,
    CR_CLIENT_HELLO = 0x1110,
    CR_SERVER_HELLO = 0x1120,
    CR_SERVER_FLIGHT = 0x1130,
    CR_CLIENT_CERT = 0x1170,
    CR_CLIENT_KEY = 0x1180,
    CR_CERT_VERIFY = 0x1190,
    CR_CLIENT_CCS = 0x11a0,
    CR_CLIENT_FINISHED = 0x11b0,
    CR_SERVER_CCS = 0x11c0,
    CR_SERVER_FINISHED = 0x11d0,
    CR_OPEN = 0x11e0,
    CR_OK = 3,
    CR_ERROR = 4
};

enum ssl_message {
    M_NONE = 0,
    M_HELLO_REQUEST,
    M_CLIENT_HELLO,
    M_SERVER_HELLO,
    M_SERVER_CERT,
    M_SERVER_KEY,
    M_CERT_REQUEST,
    M_SERVER_DONE,
    M_CLIENT_CERT,
    M_CLIENT_KEY,
    M_CERT_VERIFY,
    M_CLIENT_CCS,
    M_CLIENT_FINISHED,
    M_SERVER_CCS,
    M_SERVER_FINISHED,
    M_RESUMING_HELLO,
    M_RESUMING_SERVER_HELLO
};

/* What receiving may give besides a message. */
#define R_ALERT     0
#define R_MALFORMED (-1)

#endif
