// Other names of functions and variables: `alias` and `asm("name")`.

import { sameType } from '../program/types.ts';
import { nameOf } from '../syntax/declarators.ts';
import type { Unit } from '../syntax/parse.ts';
import type { FunctionEntity } from './scope.ts';

/** No chain of names is longer. */
const MOST = 8;

/** What a call of it calls, and what its address is. */
export function unaliased(entity: FunctionEntity): FunctionEntity {
  let found = entity;
  for (let i = 0; i < MOST && found.definition === null && found.alias !== undefined; i++) {
    const target = found.scope.find(found.alias);
    if (target?.kind !== 'function' || !sameType(target.type, found.type)) break;
    found = target;
  }
  return found;
}

/** Where a file declares a name: a function, or a declaration of this alone. */
export function declarationOf(items: Unit['items'], name: string): Unit['items'][0] | null {
  for (const item of items) {
    if (item.kind === 'function') {
      if (nameOf(item.declarator) === name) return item;
      continue;
    }
    const part = item.items.find(({ declarator }) => nameOf(declarator) === name);
    if (part !== undefined) return { ...item, items: [part] };
  }
  return null;
}
