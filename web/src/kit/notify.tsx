import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { type NoticeKind, showNotice } from '../ui/notice.ts';
import { lang, t } from './lang.ts';

const notice = (kind: NoticeKind) => (text: string) =>
  showNotice(kind, text, { ms: limits.notificationMs, top: limits.notificationOffset });

/** spec §8: each replaces the one before and lasts three seconds. */
export const notify = { success: notice('success'), warning: notice('warning'), error: notice('error'), info: notice('info') };

interface ConfirmOptions {
  readonly title?: Text;
  readonly ok?: Text;
  readonly cancel?: Text;
  readonly danger?: boolean;
  /** Names of what it is about. */
  readonly about?: readonly string[];
}

const title: Text = ['提示', 'Please confirm'];
const ok: Text = ['确定', 'Confirm'];
const cancel: Text = ['取消', 'Cancel'];
const cancelled: Text = ['已取消', 'Cancelled'];
/** Also for a part of the console that did not arrive. */
export const requestFailed: Text = ['请求失败', 'Request failed'];

const object: Text = ['对象：{0}', 'For: {0}'];
const objects: Text = ['对象：{0} 等 {1} 条', 'For: {0} and others, {1} in all'];
const namedAtMost = 5;

const aboutText = (names: readonly string[]) => {
  const some = names.slice(0, namedAtMost).join(t(['、', ', ']));
  return names.length > namedAtMost ? t(objects, some, names.length) : names.length > 0 ? t(object, some) : '';
};

const ask = async (text: Text, o: ConfirmOptions): Promise<boolean> => {
  const dialog = await import('../ui/ask.tsx').catch(() => undefined);
  if (!dialog) {
    notify.error(t(requestFailed));
    return false;
  }
  const yes = await dialog.ask({
    lang,
    title: t(o.title ?? title),
    text: t(text),
    about: aboutText(o.about ?? []),
    ok: t(o.ok ?? ok),
    cancel: t(o.cancel ?? cancel),
    danger: o.danger === true,
    width: limits.dialogWidth,
    top: limits.dialogTop,
  });
  if (!yes) notify.info(t(cancelled));
  return yes;
};

let isAsking = false;

/** Asks; cancelling shows the cancel notice (spec §8). One question at a time: a second click is no second deed. */
export const confirm = async (text: Text, o: ConfirmOptions = {}): Promise<boolean> => {
  if (isAsking) return false;
  isAsking = true;
  try {
    return await ask(text, o);
  } finally {
    isAsking = false;
  }
};
