/** A model with every process twice, in which nobody looks at numbers: symmetric wherever the model does not see it otherwise. */
export const withTwins = (text: string): string =>
  text
    .replaceAll('_pid', '1')
    .replaceAll('_nr_pr', '2')
    .replace(/active (\[\d+\] )?proctype/g, () => 'active [2] proctype');
