import { type RejectReason, rejectReason } from '@farlink/contract/user/choices.ts';

/** Reasons used by gateways of other vendors. */
const synonyms: Readonly<Record<string, RejectReason>> = {
  password: 'wrong_password',
  'wrong password': 'wrong_password',
  'too many logins': 'too_many',
  quota: 'shutdown',
  ip: 'wrong_ip',
  mac: 'wrong_mac',
  vlan: 'wrong_vlan',
  device: 'wrong_device',
};

/** Reason of a rejected login from the known list, else the text of the gateway. */
export const rejectionOf = (why: unknown): string => {
  const said = typeof why === 'string' && why !== '' ? why : 'unknown';
  return rejectReason.find((reason) => reason.id === said)?.id ?? synonyms[said.toLowerCase()] ?? said;
};
