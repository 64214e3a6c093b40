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
export const rejectionOf = (cause: unknown): string => {
  const text = typeof cause === 'string' && cause !== '' ? cause : 'unknown';
  return rejectReason.find((reason) => reason.id === text)?.id ?? synonyms[text.toLowerCase()] ?? text;
};
