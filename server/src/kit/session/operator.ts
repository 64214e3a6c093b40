/** The operator who requests something, as stored with the request. Without the VNO, that of the account is looked up. */
export interface Operator {
  readonly uid: number;
  readonly name: string;
  readonly agent_id?: number;
}
