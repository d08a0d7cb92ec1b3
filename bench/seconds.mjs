// How many seconds one question may take in the benchmarks that ask many: bench/run.mjs gives less than the pages in docs/ were made with.
export const secondsEach = (given) => Number(given ?? process.env.SPILLWAY_BENCH_SECONDS ?? 60);
