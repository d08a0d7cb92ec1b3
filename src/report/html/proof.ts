// A potential, explained: the weights, and for each transition why the sum of weights does not rise.

import type { CertificateDocument } from '../../verdict/verdict.ts';
import { html, type Markup } from './markup.ts';

export function proofSection(certificate: CertificateDocument, anchor: string): Markup {
  const { format: _format, version: _version, ...content } = certificate;
  return html`<p>The proof is a certificate; <code>spillway audit</code> checks it again against the model, in exact integers and
    without a solver.</p>
    <details><summary>the certificate, as written to disk</summary><pre class="scroll" id="${anchor}-certificate">${JSON.stringify(content, null, 1)}</pre></details>`;
}
