import { type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { authMasks, forumMasks, type Mask, type mailLists, mailMasks, maskIdentity, maskMail } from '../../domain/audit/mask.ts';
import type { OpenedRow, SealedRow } from '../../domain/audit/open-rows.ts';
import { addressesOf } from '../../domain/audit/sealed-values.ts';

/** How the rows of one list or export are shown. */
export interface DisplayOptions {
  readonly open: (row: SealedRow) => OpenedRow;
  readonly isClear: boolean;
  readonly lang: Lang;
}

const closedTexts = {
  erased: ['已清除', 'Erased'],
  unreadable: ['无法解密', 'Unreadable'],
} as const satisfies Record<NonNullable<OpenedRow['closed']>, Text>;

const shownValues = <K extends string>(masks: Readonly<Record<K, Mask>>, opened: OpenedRow, { isClear, lang }: DisplayOptions) => {
  const show = (name: K): string | null => {
    if (opened.closed) return say(closedTexts[opened.closed], lang);
    const value = opened.values[name];
    if (value === undefined) return null;
    return isClear ? value : masks[name](value);
  };
  // Object.fromEntries loses the key type, so it is asserted here.
  return Object.fromEntries(Object.keys(masks).map((name) => [name, show(name as K)])) as Record<K, string | null>;
};

interface Row extends Partial<SealedRow> {
  readonly account_key: string;
  readonly create_at: number;
}

/** The link to the online log shows half a day before and after the row. */
const halfDayS = 43_200;

/** A row without the columns that are used only on the server, and with the times of its link. */
const publicOf = <R extends Row>({ key_id, sealed, wrapped, account_key, ...row }: R) => ({
  ...row,
  session_from: row.create_at - halfDayS,
  session_to: row.create_at + halfDayS,
});

type Keyed = Row & SealedRow;

export const showAuth = <R extends Keyed>(row: R, display: DisplayOptions) => {
  const opened = display.open(row);
  return { ...publicOf(row), closed: opened.closed ?? null, ...shownValues(authMasks, opened, display) };
};

export const showForum = <R extends Keyed & { readonly author: string | null }>(row: R, display: DisplayOptions) => {
  const opened = display.open(row);
  const author = row.author === null || display.isClear ? row.author : maskIdentity(row.author);
  return { ...publicOf(row), closed: opened.closed ?? null, author, ...shownValues(forumMasks, opened, display) };
};

export const showMail = <R extends Keyed>(row: R, display: DisplayOptions) => {
  const opened = display.open(row);
  const addresses = (name: (typeof mailLists)[number]) => {
    if (opened.closed) return [say(closedTexts[opened.closed], display.lang)];
    return addressesOf(opened.values[name]).map((one) => (display.isClear ? one : maskMail(one)));
  };
  return {
    ...publicOf(row),
    closed: opened.closed ?? null,
    ...shownValues(mailMasks, opened, display),
    receiver: addresses('receiver'),
    cc: addresses('cc'),
  };
};

export const showIdentity = <R extends Row & { readonly identity: string }>(row: R, { isClear }: DisplayOptions) => ({
  ...publicOf(row),
  identity: isClear ? row.identity : maskIdentity(row.identity),
});

export const showUrl = <R extends Row>(row: R) => publicOf(row);
