import { limits } from './limits.ts';

/** Numbers of mobile phones in mainland China, with or without country code. Without plus it is one only in front of a whole number. */
const mainland = /^(?:(?:\+|00)86-?|86-?(?=1[3-9]\d{9}$))?(1[3-9][\d-]*)$/;

/** A phone number in its one form: those of mainland China without country code and hyphens. Other numbers are kept. */
export const plainPhone = (phone: string): string => mainland.exec(phone)?.[1]?.replaceAll('-', '') ?? phone;

/** The form of today, and the form with country code in which older audit data is sealed. */
export const sealedPhones = (phone: string): readonly string[] => {
  const plain = plainPhone(phone.replaceAll(/\s/g, ''));
  return mainland.test(plain) ? [plain, `+86${plain}`] : [plain];
};

/** A phone number that is entered or searched. */
export const phoneInput = { max: limits.phoneMax, plain: plainPhone } as const;

/** All lists show phone numbers alike, and never cut. */
export const phoneColumn = { ...phoneInput, mono: true, noTruncate: true, width: 140 } as const;
