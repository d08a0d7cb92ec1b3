/* The 2-Proctype model.
 * Source: [IBOC] Fig. 11, as printed.
 * Expected: bounded; the paper reports AB <= 20 and BA <= 6, exhaustive search finds 7 and 2. */
mtype = { c, b, a };
chan AB = [25] of { mtype };
chan BA = [25] of { mtype };
active proctype A() {
s1: if
    :: BA?c -> AB!b; AB!b; goto s2
    :: BA?c -> AB!b; AB!b; AB!b; AB!b; AB!b; goto s3
    fi;
s2: if
    :: BA?c -> AB!a; AB!a; AB!b; goto s3
    fi;
s3: if
    :: BA?c -> AB!a; AB!a; goto s2
    fi
}
active proctype B() {
  BA!c;
  BA!c;
  goto s4;
s4: if
    :: AB?a -> goto s5
    fi;
s5: if
    :: AB?b -> BA!c; goto s4
    fi;
}
