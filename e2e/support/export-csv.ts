import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { dialog } from './login-as.ts';

/** Exports the list of the page as CSV, by an operator without other exports. Returns the cells of a column by the start of its header. */
export const exportCsv = async (page: Page) => {
  const press = (name: RegExp) => page.getByRole('main').getByRole('button', { name }).click();
  await press(/^(导出|Export)$/);
  const drawer = dialog(page, /^(导出|Export) · /);
  await drawer.getByRole('button', { name: /^(开始导出|Start export)$/ }).click();
  const done = drawer.getByText(/^(导出成功|Succeeded)$/);
  await expect(done).toHaveCount(1);
  const waiting = page.waitForEvent('download');
  await drawer.getByRole('button', { name: /^(下载|Download)$/ }).click();
  const text = readFileSync(await (await waiting).path(), 'utf8').slice(1);
  await drawer.getByRole('button', { name: /^(删除|Remove)$/ }).click();
  await expect(done).toHaveCount(0);
  const [head = [], ...lines] = text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  return (label: string): readonly string[] => {
    const at = head.findIndex((title) => title.startsWith(label));
    expect(at, `a column ${label} among ${head.join(', ')}`).toBeGreaterThanOrEqual(0);
    return lines.map((cells) => cells[at] ?? '');
  };
};
