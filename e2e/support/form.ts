import { say, type Text } from '@farlink/contract/kit/text.ts';
import type { Locator } from '@playwright/test';

/** One field of a form: label, control and error. */
export const line = (box: Locator, label: string) => box.locator('.field').filter({ has: box.page().getByText(label, { exact: true }) });
export const input = (box: Locator, label: string) => line(box, label).getByRole('textbox');
export const refusal = (box: Locator, label: string) => line(box, label).getByRole('alert');

const submit: Text = ['确定', 'Confirm'];
export const confirm = (box: Locator, lang: 'zh' | 'en' = 'zh') =>
  box.getByRole('button', { name: say(submit, lang), exact: true }).click();
