import { randomToken } from '../kit/session/secret.ts';

/** Class carries the account and our token, so that a session is found whatever name and id the NAS sends. */
const pattern = /^fl1\.(\d{1,15})\.([\w-]{16,40})$/;

export const newClass = (subscriberId: number) => {
  const token = randomToken(16);
  return { token, class: `fl1.${subscriberId}.${token}` };
};

/** Undefined for a Class of another server, as after a change of the RADIUS server. */
export const readClass = (value: Buffer | undefined) => {
  const text = value?.toString('latin1');
  const [, id, token] = pattern.exec(text ?? '') ?? [];
  return text === undefined || id === undefined || token === undefined ? undefined : { class: text, subscriberId: Number(id), token };
};
