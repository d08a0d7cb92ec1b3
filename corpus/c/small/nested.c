// Expected: proved. Nested loops over constants.
extern void abort(void);
extern void reach_error(void);
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } return; }

int main(void)
{
    int i, j, k = 0;
    for (i = 0; i < 6; i++)
        for (j = 0; j < 5; j++)
            k++;
    __VERIFIER_assert(k == 30);
    return 0;
}
