import { expect, test } from 'vitest';
import { featurePrograms } from './feature-programs.fuzz.ts';
import { compareWithGcc } from './gcc-comparison.fuzz.ts';
const NEW = /machine\d|edge\d|args\d\(|strncat/;
const programs = featurePrograms.filter((text) => NEW.test(text) && !text.includes('__int128'));
test.each([['LP64', 30, 1e9], ['ILP32', 14, 1e9]] as const)('%s', { timeout: 0 }, async (dataModel, count, judged) => {
  const counts = await compareWithGcc({ programs, count, seed: Number(process.env['SEED'] ?? 3), judged, dataModel, defined: { elsewhere: '' } });
  console.log(JSON.stringify(counts));
});
