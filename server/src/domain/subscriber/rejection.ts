import { type RejectReason, rejectReason } from '@farlink/contract/user/choices.ts';

/** Words in which gateways of other makes say the same. */
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

/** Why somebody was not let in, by the list of reasons; else in the gateway's own words. */
export const rejectionOf = (why: unknown): string => {
  const said = typeof why === 'string' && why !== '' ? why : 'unknown';
  return rejectReason.find((reason) => reason.id === said)?.id ?? synonyms[said.toLowerCase()] ?? said;
};
