import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { ReactNode } from 'react';
import { ObjectList } from '../../ui/native/object-list.tsx';
import { showToast, type ToastKind, type ToastLink } from '../../ui/native/toast.ts';
import { t } from './lang.ts';

const toast = (kind: ToastKind) => (text: string, link?: ToastLink) =>
  showToast(kind, text, { ms: link ? limits.linkNotificationMs : limits.notificationMs, top: limits.notificationOffset, link });

/** spec §8: each notification replaces the previous one and lasts three seconds; one with a link lasts longer. */
export const notify = { success: toast('success'), warning: toast('warning'), error: toast('error'), info: toast('info') };

interface ConfirmOptions {
  readonly title?: Text;
  readonly ok?: Text;
  readonly cancel?: Text;
  readonly danger?: boolean;
  /** The objects of the question, or one name. */
  readonly about?: ReactNode;
  readonly of?: string;
}

const title: Text = ['提示', 'Please confirm'];
const ok: Text = ['确定', 'Confirm'];
const forOne: Text = ['对象：{0}', 'For {0}'];
const cancel: Text = ['取消', 'Cancel'];
const cancelled: Text = ['已取消', 'Cancelled'];
/** Also used for a chunk that failed to load. */
export const requestFailed: Text = ['请求失败', 'Request failed'];

const openDialog = async (text: Text, o: ConfirmOptions): Promise<boolean> => {
  const dialog = await import('../../ui/antd/confirm-dialog.tsx').catch(() => undefined);
  if (!dialog) {
    notify.error(t(requestFailed));
    return false;
  }
  const yes = await dialog.openConfirm({
    title: t(o.title ?? title),
    text: t(text),
    about: o.about ?? (o.of !== undefined && <ObjectList title={t(forOne, o.of)} names={[]} />),
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

/** Asks for confirmation; cancelling shows the cancel toast (spec §8). Only one dialog at a time, so a double click has no effect. */
export const confirm = async (text: Text, o: ConfirmOptions = {}): Promise<boolean> => {
  if (isAsking) return false;
  isAsking = true;
  try {
    return await openDialog(text, o);
  } finally {
    isAsking = false;
  }
};
