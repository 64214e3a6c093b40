import { maskIdNumber, maskPhone } from '@farlink/contract/user/mask.ts';

/** Masks of sealed values, and of values that are stored in clear but shown masked. No mask contains the whole value. */

/** The first character, unless it is the only one. */
const firstOf = (text: string): string => {
  const [first = '', ...rest] = text;
  return rest.length === 0 ? '' : first;
};

const maskName = (name: string): string => `${firstOf(name)}**`;

export const maskText = (text: string): string => `${firstOf(text)}***`;

/** The domain is kept, because it names the provider and not the person. */
export const maskMail = (address: string): string => {
  const at = address.lastIndexOf('@');
  return at < 1 ? maskText(address) : `${firstOf(address)}***${address.slice(at)}`;
};

export const maskIdentity = (identity: string): string =>
  [...identity].length > 6 ? `${identity.slice(0, 2)}****${identity.slice(-2)}` : `${firstOf(identity)}****`;

export type Mask = (text: string) => string;

export const authMasks = { name: maskName, phone: maskPhone, id_number: maskIdNumber } as const satisfies Record<string, Mask>;
export const forumMasks = { title: maskText, content: maskText } as const satisfies Record<string, Mask>;
export const mailMasks = { sender: maskMail, subject: maskText } as const satisfies Record<string, Mask>;
/** Lists of addresses. */
export const mailLists = ['receiver', 'cc'] as const;
