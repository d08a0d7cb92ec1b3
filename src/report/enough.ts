// Why a search that did not see every state is a proof, in the words of a person; null where it saw all.

export function whyEnough(evidence: { readonly reduced?: true; readonly symmetric?: true }): string | null {
  const { reduced, symmetric } = evidence;
  if (reduced && symmetric) return 'enough by reduction and symmetry';
  if (reduced) return 'enough by reduction';
  return symmetric ? 'enough by symmetry' : null;
}
