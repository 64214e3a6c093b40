import { templateCalls } from '@farlink/contract/config/template.ts';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { as } from './support/api.ts';
import { dialog, notice, sitAt } from './support/desk.ts';
import { freshGateway } from './support/field.ts';
import { confirm, line } from './support/form.ts';
import { rowOf, take } from './support/table.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, unique } from './support/world.ts';

const patience = { timeout: 30_000 };
const button = (at: Page | Locator, name: string | RegExp) => at.getByRole('button', { name, exact: typeof name === 'string' });
const ticked = (page: Page, label: string) => page.getByRole('checkbox', { name: label, exact: true });
/** From a list that is too long to be looked through. */
const find = async (at: Page | Locator, label: string | RegExp, wanted: string) => {
  await at.getByRole('combobox', { name: label }).fill(wanted);
  const page = 'page' in at ? at.page() : at;
  const list = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)');
  await list.locator('.ant-select-item-option, .ant-select-tree-node-content-wrapper').filter({ hasText: wanted }).first().click();
};
const devices = (page: Page) => page.locator('.campaign-devices tbody tr');

test('a template with a variable is made, looked at on a device, applied to a fleet in which one refuses, and tried again', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const vno = await newVno();
  const [good, bad] = [await freshGateway({ vno }), await freshGateway({ vno })];
  await bad.fault({ reject: ['network_dns'] });
  const admin = await as('admin');
  const name = unique('基线');
  await sitAt(page, admin, '/device/config-template');
  await button(page, '新增模板').click();
  await expect(page).toHaveURL(/config-template\/new$/);
  // Its own form: until it is loaded, the list and its filter of the same label still stand there.
  const main = page.getByRole('form', { name: '新增配置模板' });
  await main.getByLabel('模板名称').fill(name);
  await main.getByRole('radio', { name: 'VNO' }).check();
  await find(main, /所属VNO/, vno.name);
  await button(main, '添加一行').click();
  await main.getByRole('textbox', { name: '变量名' }).fill('ttl');

  await find(page, '添加配置页', 'DNS设置');
  await ticked(page, '由本模板设置：最小缓存时间').check();
  const ttl = page.locator('.parts-main').getByLabel('最小缓存时间', { exact: true });
  await ttl.fill(`\${time}`);
  await button(page, '保存模板').click();
  await expect(page.locator('.parts-main')).toContainText('变量 time 未在模板中声明');
  await expect(page.locator('.parts-side')).toContainText('! 1');
  await ttl.fill(`\${ttl}`);
  await expectAccessible(page);
  await button(page, '保存模板').click();
  await expect(notice(page)).toContainText('模板已保存');

  await take(rowOf(page, name), '预览');
  const preview = dialog(page, `预览 · ${name}`);
  await find(preview, '设备', good.sn);
  await expect(preview).toContainText('最小缓存时间: 变量 ttl 没有取值');
  await button(preview, /close|关闭/i).click();
  await button(page, '变量取值').click();
  await button(dialog(page, '变量取值'), '新增取值').click();
  const form = dialog(page, '新增变量取值');
  await form.getByRole('combobox', { name: /变量名/ }).fill('ttl');
  await page.keyboard.press('Enter');
  await form.getByRole('radio', { name: 'VNO' }).check();
  await find(form, 'VNO', vno.name);
  await line(form, '取值').getByRole('textbox').fill('777');
  await confirm(form);
  await expect(dialog(page, '变量取值').locator('tbody')).toContainText('777');
  await button(dialog(page, '变量取值'), /close|关闭/i).click();

  await take(rowOf(page, name), '下发');
  await confirm(dialog(page, `下发模板 · ${name}`));
  await expect(page).toHaveURL(/config-campaign\/\d+$/);
  await expect(page.locator('.campaign-counts')).toContainText('已生效 1', patience);
  await expect(page.locator('.campaign-counts')).toContainText('网关拒绝 1', patience);
  await expect(devices(page).filter({ hasText: bad.sn })).toContainText('网关拒绝');
  expect((await good.truth()).sections.network_dns?.doc.min_ttl).toBe(777);
  await expectAccessible(page);
  await button(page, /^网关拒绝/).click();
  await expect(devices(page)).toHaveCount(1);
  await bad.fault({ clear: true });
  await button(page, '重试').click();
  await confirm(dialog(page));
  await expect(page.locator('.campaign-counts')).toContainText('已生效 2', patience);
  await expect(page.locator('.campaign-title')).toContainText('已完成');
  expect((await bad.truth()).sections.network_dns?.doc.min_ttl).toBe(777);

  // Where devices inherit from it, it is not deleted.
  await page.goto('/device/config-template');
  await rowOf(page, name).getByRole('button', { name: /^更多/ }).click();
  await expect(page.getByRole('menuitem', { name: '删除' })).toHaveAttribute('aria-disabled', 'true');
  const { list } = await admin.call(templateCalls.list, { name, page: 1, limit: 10 });
  await admin.call(templateCalls.enable, { id: list[0]?.id, enabled: false });
});

test('a configuration is compared, exported with its secrets sealed, taken in by another device, and one field set at both', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const vno = await newVno();
  const [one, two] = [await freshGateway({ vno }), await freshGateway({ vno })];
  await one.changeLocally('network_cellular', {
    enabled: true,
    sim_slot: 'sim2',
    apn: 'sea',
    auth_type: 'pap',
    password: 'Hidden12',
    network_mode: 'auto',
  });
  await sitAt(page, await as('admin'), `/device/gateway-config/${one.deviceId}?page=network_cellular`, { lang: 'en', theme: 'dark' });
  await expect(page.locator('.config-main').getByLabel('APN', { exact: true })).toHaveValue('sea', patience);
  const tool = async (name: string) => {
    await button(page, 'Tools').click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };

  await tool('Compare with another device');
  const compare = dialog(page, /^Compare/);
  await find(compare, 'Compare with', two.sn);
  await expect(compare.locator('.diff-pages')).toContainText('Cellular');
  await expect(compare).not.toContainText('Hidden12');
  await expectAccessible(page);
  await button(compare, /close|关闭/i).click();

  await tool('Export');
  await dialog(page, /^Export/)
    .getByLabel('Password of the file')
    .fill('open sesame');
  const [file] = await Promise.all([page.waitForEvent('download'), confirm(dialog(page, /^Export/), 'en')]);
  const path = await file.path();
  expect(file.suggestedFilename()).toMatch(new RegExp(`^${one.sn}-config-\\d{14}\\.json$`));

  await page.goto(`/device/gateway-config/${two.deviceId}?page=network_cellular`);
  await tool('Import');
  const taken = dialog(page, /^Import/);
  await taken.locator('input[type=file]').setInputFiles(path);
  await taken.getByLabel(/^Password of the file/).fill('wrong one');
  await button(taken, 'Clear').click();
  await taken.getByRole('checkbox', { name: 'Cellular' }).check();
  await button(taken, 'Import as drafts').click();
  await expect(notice(page)).toContainText('The password is wrong');
  await taken.getByLabel(/^Password of the file/).fill('open sesame');
  await button(taken, 'Import as drafts').click();
  await expect(notice(page)).toContainText('1 pages are drafts now');
  await expect(page.locator('.config-main').getByLabel('APN', { exact: true })).toHaveValue('sea');

  await tool('Set one field at many devices');
  const bulk = dialog(page, 'Set one field at many devices');
  await find(bulk, 'Field', 'MTU');
  await bulk.getByLabel('MTU', { exact: true }).fill('1300');
  for (const { sn } of [one, two]) {
    await bulk.getByPlaceholder('Search').fill(sn);
    await bulk
      .getByRole('button', { name: new RegExp(sn) })
      .first()
      .click();
  }
  await confirm(bulk, 'en');
  await expect(page).toHaveURL(/config-campaign\/\d+$/);
  await expect(page.locator('.campaign-counts')).toContainText('Applied 2', patience);
  expect((await one.truth()).sections.network_cellular?.doc).toMatchObject({ apn: 'sea', mtu: 1300, password: 'Hidden12' });
});
