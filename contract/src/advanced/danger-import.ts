/** A row of the file that was not imported. */
export interface DangerImportFault {
  readonly line: number;
  readonly value: string;
  readonly message: string;
}

/** Progress and result of an import. */
export interface DangerImport {
  readonly id: number;
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly progress: number;
  readonly total: number;
  readonly success: number;
  readonly fail: number;
  /** The first rows that were not imported; the report has all. */
  readonly errors: readonly DangerImportFault[];
  /** Reason why nothing was imported. */
  readonly message: string | null;
}
