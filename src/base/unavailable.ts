/** Something the analysis needs is not on this machine: no bug and no error of the model, but a reason for an unknown. */
export class Unavailable extends Error {
  readonly reasonCode: 'solver-missing';

  constructor(reasonCode: 'solver-missing', message: string) {
    super(message);
    this.reasonCode = reasonCode;
  }
}
