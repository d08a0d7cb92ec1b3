// What the runner of the tests does before and after all of them.

import { removeBundles } from './bundle.ts';

export default (): (() => void) => removeBundles;
