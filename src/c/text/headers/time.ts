// <time.h> and <sched.h>.

import {
  constants,
  functions,
  LOCALE_T,
  NULL,
  onlyGnu,
  PID_T,
  SIZE_T,
  TIME_T,
  TIMESPEC,
  typedefs,
} from './pieces.ts';

const DATE = 'struct tm *';
const CLOCK = 'clockid_t';
const FORMATTED = 'char *, size_t, const char *, const struct tm *';

export const TIME = [
  '#include <features.h>\n#define _TIME_H 1\n',
  NULL,
  SIZE_T,
  TIMESPEC,
  PID_T,
  LOCALE_T,
  typedefs('long', 'clock_t'),
  typedefs('int', 'clockid_t'),
  typedefs('void *', 'timer_t'),
  `struct tm { int tm_sec; int tm_min; int tm_hour; int tm_mday; int tm_mon; int tm_year; int tm_wday; int tm_yday; int tm_isdst;
  long tm_gmtoff; const char *tm_zone; };\n`,
  'struct itimerspec { struct timespec it_interval; struct timespec it_value; };\nstruct sigevent;\n',
  constants('CLOCKS_PER_SEC ((long)1000000) TIME_UTC 1 TIMER_ABSTIME 1'),
  constants('CLOCK_REALTIME 0 CLOCK_MONOTONIC 1 CLOCK_PROCESS_CPUTIME_ID 2 CLOCK_THREAD_CPUTIME_ID 3'),
  constants('CLOCK_MONOTONIC_RAW 4 CLOCK_REALTIME_COARSE 5 CLOCK_MONOTONIC_COARSE 6 CLOCK_BOOTTIME 7'),
  constants('CLOCK_REALTIME_ALARM 8 CLOCK_BOOTTIME_ALARM 9 CLOCK_TAI 11'),
  'extern char *tzname[2];\nextern int daylight;\nextern long timezone;\n',
  functions('clock_t', 'void', 'clock'),
  functions('time_t', 'time_t *', 'time'),
  functions('double', 'time_t, time_t', 'difftime'),
  functions('time_t', DATE, 'mktime timegm timelocal'),
  functions('size_t', FORMATTED, 'strftime'),
  functions('size_t', `${FORMATTED}, locale_t`, 'strftime_l'),
  functions(DATE, 'const time_t *', 'gmtime localtime'),
  functions(DATE, `const time_t *, ${DATE}`, 'gmtime_r localtime_r'),
  functions('char *', 'const struct tm *', 'asctime'),
  functions('char *', 'const time_t *', 'ctime'),
  functions('char *', 'const struct tm *, char *', 'asctime_r'),
  functions('char *', 'const time_t *, char *', 'ctime_r'),
  functions('void', 'void', 'tzset'),
  functions('int', 'int', 'dysize'),
  functions('int', 'const struct timespec *, struct timespec *', 'nanosleep'),
  functions('int', `${CLOCK}, struct timespec *`, 'clock_getres clock_gettime'),
  functions('int', `${CLOCK}, const struct timespec *`, 'clock_settime'),
  functions('int', `${CLOCK}, int, const struct timespec *, struct timespec *`, 'clock_nanosleep'),
  functions('int', `pid_t, ${CLOCK} *`, 'clock_getcpuclockid'),
  functions('int', `${CLOCK}, struct sigevent *, timer_t *`, 'timer_create'),
  functions('int', 'timer_t', 'timer_delete timer_getoverrun'),
  functions('int', 'timer_t, int, const struct itimerspec *, struct itimerspec *', 'timer_settime'),
  functions('int', 'timer_t, struct itimerspec *', 'timer_gettime'),
  functions('int', 'struct timespec *, int', 'timespec_get'),
  onlyGnu(
    [
      'struct timex;\nextern int getdate_err;\n',
      functions('int', `${CLOCK}, struct timex *`, 'clock_adjtime'),
      functions(DATE, 'const char *', 'getdate'),
      functions('int', `const char *, ${DATE}`, 'getdate_r'),
      functions('char *', `const char *, const char *, ${DATE}`, 'strptime'),
      functions('char *', `const char *, const char *, ${DATE}, locale_t`, 'strptime_l'),
      functions('int', 'struct timespec *, int', 'timespec_getres'),
    ].join(''),
  ),
].join('');

const GNU_SCHEDULING = [
  functions('int', 'pid_t, size_t, const cpu_set_t *', 'sched_setaffinity'),
  functions('int', 'pid_t, size_t, cpu_set_t *', 'sched_getaffinity'),
  functions('int', 'void', 'sched_getcpu'),
  functions('int', 'unsigned *, unsigned *', 'getcpu'),
  functions('int', 'int (*)(void *), void *, int, void *, ...', 'clone'),
  functions('int', 'int', 'unshare'),
  functions('int', 'int, int', 'setns'),
  constants(
    'SCHED_BATCH 3 SCHED_ISO 4 SCHED_IDLE 5 SCHED_DEADLINE 6 SCHED_RESET_ON_FORK 0x40000000 CPU_SETSIZE 1024',
  ),
  constants('CSIGNAL 0x000000ff CLONE_VM 0x00000100 CLONE_FS 0x00000200 CLONE_FILES 0x00000400'),
  constants('CLONE_SIGHAND 0x00000800 CLONE_PIDFD 0x00001000 CLONE_PTRACE 0x00002000 CLONE_VFORK 0x00004000'),
  constants(
    'CLONE_PARENT 0x00008000 CLONE_THREAD 0x00010000 CLONE_NEWNS 0x00020000 CLONE_SYSVSEM 0x00040000',
  ),
  constants('CLONE_SETTLS 0x00080000 CLONE_PARENT_SETTID 0x00100000 CLONE_CHILD_CLEARTID 0x00200000'),
  constants('CLONE_DETACHED 0x00400000 CLONE_UNTRACED 0x00800000 CLONE_CHILD_SETTID 0x01000000'),
  constants(
    'CLONE_NEWCGROUP 0x02000000 CLONE_NEWUTS 0x04000000 CLONE_NEWIPC 0x08000000 CLONE_NEWUSER 0x10000000',
  ),
  constants('CLONE_NEWPID 0x20000000 CLONE_NEWNET 0x40000000 CLONE_IO 0x80000000 CLONE_NEWTIME 0x00000080'),
].join('');

export const SCHED = [
  '#include <features.h>\n#define _SCHED_H 1\n',
  NULL,
  SIZE_T,
  TIME_T,
  TIMESPEC,
  PID_T,
  'struct sched_param { int sched_priority; };\n#define sched_priority sched_priority\n',
  'typedef struct { unsigned long __bits[1024 / (8 * sizeof(long))]; } cpu_set_t;\n',
  constants('SCHED_OTHER 0 SCHED_FIFO 1 SCHED_RR 2'),
  functions('int', 'void', 'sched_yield'),
  functions('int', 'int', 'sched_getscheduler sched_get_priority_max sched_get_priority_min'),
  functions('int', 'pid_t, const struct sched_param *', 'sched_setparam'),
  functions('int', 'pid_t, struct sched_param *', 'sched_getparam'),
  functions('int', 'pid_t, int, const struct sched_param *', 'sched_setscheduler'),
  functions('int', 'pid_t, struct timespec *', 'sched_rr_get_interval'),
  onlyGnu(GNU_SCHEDULING),
].join('');
