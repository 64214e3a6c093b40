import { readFileSync } from 'node:fs';
import { type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { addCalls } from '@farlink/contract/user/add.ts';
import { importFields } from '@farlink/contract/user/import-user.ts';
import { openingCalls } from '@farlink/contract/user/opening.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { openConfigCalls } from '@farlink/contract/user/user-account.ts';
import { tempCardCalls } from '@farlink/contract/user/user-temp.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { type BillingFixture, makeBillingFixture, openAccount } from './support/billing-fixture.ts';
import { addressOf } from './support/calls.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { readXlsx } from './support/read-xlsx.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose, rowOf, rows, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, unique } from './support/world.ts';

const main = (page: Page) => page.getByRole('main');
const result = (page: Page, lang: Lang) => page.getByRole('region', { name: say(['开户结果', 'Result'], lang), exact: true });

/** Chooses from a list that needs a search. */
const find = async (form: Locator, label: RegExp, option: string) => {
  await form.getByRole('combobox', { name: label }).fill(option);
  const list = form.page().locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)');
  // The option includes the price.
  await list.getByText(new RegExp(`^${option.replace(/[^\p{L}\d]/gu, '\\$&')}( · |$)`)).click();
};

const chooseBinding = async (form: Locator, billing: BillingFixture, lang: Lang) => {
  await find(form, new RegExp(say(['绑定设备', 'Device'], lang)), billing.device.label);
  await find(form, new RegExp(`^${say(['套餐', 'Package'], lang)}`), billing.package.name);
};

/** Creates a prefix that no other test uses. */
const makePrefix = async ({ seller }: BillingFixture) => {
  const prefix = unique('p');
  const { id } = await seller.call(prefixCalls.create, { vno_id: seller.session.agent_id, prefix });
  return { id, prefix };
};

const download = async (page: Page, button: Locator) => {
  const waiting = page.waitForEvent('download');
  await button.click();
  return waiting;
};

interface RuleInput {
  readonly prefix: string;
  readonly start: string;
  readonly count: string;
}

const fillRule = async (form: Locator, billing: BillingFixture, { prefix, start, count }: RuleInput, lang: Lang) => {
  // Other account types require real names, which a number sequence does not have.
  await choose(form, new RegExp(say(['账号类型', 'Account type'], lang)), say(['临时卡账号', 'Temporary card'], lang));
  await find(form, new RegExp(say(['账号前缀', 'Account prefix'], lang)), prefix);
  await input(form, say(['起始编号', 'First number'], lang)).fill(start);
  await input(form, say(['开户数量', 'Number of accounts'], lang)).fill(count);
  await input(form, say(['初始密码', 'Initial password'], lang)).fill('sea1234');
  await input(form, say(['账号到期时间', 'Expiry date'], lang)).click();
  await form
    .page()
    .getByText(say(['1年', '1 year'], lang), { exact: true })
    .click();
  await chooseBinding(form, billing, lang);
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (...text: Text) => say(text, lang);

  test(`opens accounts by rule, and lists existing ones with the reason (${lang})`, async ({ page }) => {
    const billing = await makeBillingFixture();
    const { id: account_prefix, prefix } = await makePrefix(billing);
    await openAccount(billing, { account: '0099', account_prefix });
    await loginAt(page, billing.seller, '/user/batch', { lang });
    const form = page.getByRole('form', { name: t('按规则批量开户', 'Batch opening by rule') });
    const submit = form.getByRole('button', { name: t('按规则开户', 'Open by rule'), exact: true });
    await submit.click();
    await expect(refusal(form, t('起始编号', 'First number'))).toHaveText(t('请输入起始编号', 'Please enter first number'));
    // The rule is that of the VNO of the device.
    await chooseBinding(form, billing, lang);
    await expect(line(form, t('账号类型', 'Account type'))).toContainText(t('该类型账号须实名', 'need a real name'));
    await expectAccessible(page);

    await fillRule(form, billing, { prefix, start: '0098', count: '3' }, lang);
    await expect(form).toContainText(t(`将开通 ${prefix}0098 至 ${prefix}0100`, `Opens ${prefix}0098 to ${prefix}0100`));
    await expect(form).toContainText('¥98.00 × 3 = ¥294.00');
    await submit.click();
    const shown = result(page, lang);
    await expect(shown.getByRole('status')).toContainText(t('成功 2', '2 succeeded'));
    await expect(shown.getByRole('status')).toContainText(t('失败 1', '1 failed'));
    const refused = shown.getByRole('row').filter({ hasText: `${prefix}0099` });
    await expect(refused.getByRole('cell')).toHaveText([
      '2',
      `${prefix}0099`,
      t('失败', 'Failed'),
      t('上网账号已存在', 'Online account already exists'),
    ]);
    const file = await download(page, shown.getByRole('button', { name: t('下载失败清单', 'Download the failures') }));
    expect(readXlsx(await file.path())).toEqual([
      [t('上网账号', 'Online account'), t('失败原因', 'Reason')],
      [`${prefix}0099`, t('上网账号已存在', 'Online account already exists')],
    ]);
    const { list } = await billing.seller.call(userCalls.list, { account: prefix });
    expect(list.map((row) => [row.account, row.account_source]).sort()).toEqual([
      [`${prefix}0098`, 'batch'],
      [`${prefix}0099`, 'counter'],
      [`${prefix}0100`, 'batch'],
    ]);
  });

  test(`shows import errors by row, and imports nothing in all-or-nothing mode (${lang})`, { tag: '@all' }, async ({ page }) => {
    const billing = await makeBillingFixture();
    const mark = unique('i');
    await loginAt(page, billing.seller, '/user/batch?tab=import', { lang });
    const template = await download(page, main(page).getByRole('button', { name: t('下载模板', 'Download template') }));
    expect(template.suggestedFilename()).toBe(t('用户导入模板.xlsx', 'user-import-template.xlsx'));
    const head = readXlsx(await template.path())[0] ?? [];
    expect(head.slice(0, 4)).toEqual(
      [importFields.account, importFields.password, importFields.name, importFields.phone].map(({ label }) => `${say(label, lang)}*`),
    );

    const form = page.getByRole('form', { name: t('导入用户', 'Import users') });
    const fileLine = line(form, t('导入文件', 'File'));
    const upload = (name: string, text: string) =>
      fileLine.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    const submit = form.getByRole('button', { name: t('文件导入', 'Import file'), exact: true });
    await expectAccessible(page);

    await upload('users.pdf', 'a');
    await expect(fileLine.getByRole('alert')).toHaveText(
      t(
        'users.pdf: 仅支持XLSX、CSV格式的导入模板，每次只能导入一个文件，最大20MB',
        'users.pdf: XLSX or CSV import template, one file at a time, at most 20 MB',
      ),
    );
    await chooseBinding(form, billing, lang);
    await upload('users.csv', 'colour\nblue\n');
    await submit.click();
    await expect(toast(page)).toHaveText(t('文件格式错误', 'File format error'));
    await expect(refusal(form, t('导入文件', 'File'))).toHaveText(
      t('请使用导入模板：不认识的列“colour”', 'Use the import template: unknown column "colour"'),
    );

    const titles = [importFields.account, importFields.password, importFields.name, importFields.phone, importFields.id_number];
    const person = '陈海生,13800009876,11010519491231002X';
    const lines = [`${mark}_1,sea1234,${person}`, `${mark}_2,x,${person}`, `${mark}_1,sea1234,${person}`];
    await upload('users.csv', [titles.map(({ label }) => say(label, lang)).join(','), ...lines].join('\n'));
    const wrong: Text = ['上网密码：6-18位', 'Internet password: 6-18 characters'];
    const twice: Text = ['与第2行的账号重复', 'Duplicate of the account in line 2'];

    await line(form, t('全部成功才导入', 'All or nothing')).getByRole('switch').click();
    await submit.click();
    const shown = result(page, lang);
    await expect(shown.getByRole('status')).toContainText(t('成功 0', '0 succeeded'));
    await expect(shown).toContainText(
      t('已选择全部成功才导入：2 行有误，全部未导入。', 'All or nothing: 2 lines have errors, so nothing was imported.'),
    );
    expect((await billing.seller.call(userCalls.list, { account: mark })).total).toBe(0);

    await line(form, t('全部成功才导入', 'All or nothing')).getByRole('switch').click();
    await submit.click();
    await expect(shown.getByRole('status')).toContainText(t('成功 1', '1 succeeded'));
    await expect(shown.getByRole('status')).toContainText(t('失败 2', '2 failed'));
    await expect(shown.getByRole('row').filter({ hasText: `${mark}_2` })).toContainText(say(wrong, lang));
    await expect(shown.getByRole('row').filter({ hasText: `${mark}_1` })).toContainText(say(twice, lang));
    const report = await download(page, shown.getByRole('button', { name: t('下载失败清单', 'Download the failures') }));
    const [, ...faults] = readXlsx(await report.path());
    expect(faults.map((cells) => [cells[0], cells.at(-1)])).toEqual([
      [`${mark}_2`, say(wrong, lang)],
      [`${mark}_1`, say(twice, lang)],
    ]);
    expect((await billing.seller.call(userCalls.list, { account: mark })).total).toBe(1);
  });

  test(`creates temporary cards, shows their passwords once, and exports, disables and deletes them (${lang})`, async ({ page }) => {
    const billing = await makeBillingFixture();
    const { prefix } = await makePrefix(billing);
    await loginAt(page, billing.seller, `/user/temp?account=${prefix}`, { lang });
    await main(page)
      .getByRole('button', { name: t('生成临时卡', 'Make temporary cards') })
      .click();
    const box = dialog(page, t('生成临时卡账号', 'Make temporary card accounts'));
    await input(box, t('生成数量', 'Number of cards')).fill('20001');
    await confirm(box, lang);
    await expect(refusal(box, t('生成数量', 'Number of cards'))).toHaveText(t('数值范围为1-20000', 'Between 1 and 20000'));
    await input(box, t('生成数量', 'Number of cards')).fill('2');
    await find(box, new RegExp(t('账号前缀', 'Account prefix')), prefix);
    await chooseBinding(box, billing, lang);
    await input(box, t('最迟使用日期', 'Use before')).fill('2035-01-01');
    await input(box, t('最迟使用日期', 'Use before')).press('Enter');
    const worth = box.getByRole('status');
    await expect(worth).toContainText(t('单价 ¥98.00 × 2 张', '¥98.00 × 2 cards'));
    await expect(worth).toContainText(t('面值合计 ¥196.00', 'Face value ¥196.00'));
    await expect(worth).toContainText(t('不收款，不产生账单', 'charges nothing and creates no bill'));
    await confirm(box, lang);
    const made = result(page, lang);
    await expect(made.getByRole('status')).toContainText(t('成功 2', '2 succeeded'));
    const list = await download(page, made.getByRole('button', { name: t('下载账号密码清单', 'Download accounts and passwords') }));
    const [, first, second] = readXlsx(await list.path());
    const [account = '', secret = ''] = first ?? [];
    expect(account).toMatch(new RegExp(`^${prefix}`));
    await expect(made).toContainText(t('密码清单已下载。', 'Password list downloaded.'));
    await expect(made.getByRole('button')).toHaveCount(0);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('关闭', 'Close'), exact: true })
      .last()
      .click();

    const row = rowOf(page, account);
    await expect(rows(page)).toHaveCount(2);
    await expect(row).not.toContainText(secret);
    await row.getByRole('button', { name: new RegExp(t('显示密码', 'Show Password')) }).click();
    await expect(row).toContainText(secret);
    await expectAccessible(page);

    await row.getByRole('checkbox').check();
    const selectedExport = await download(page, main(page).getByRole('button', { name: t('导出所选', 'Export selected') }));
    const sheet = readFileSync(await selectedExport.path(), 'utf8');
    expect(sheet).toContain(account);
    expect(sheet).not.toContain(second?.[0] ?? '?');

    const yes = page.getByRole('dialog').getByRole('button', { name: t('确定', 'Confirm'), exact: true });
    await runAction(row, t('禁用', 'Disable'));
    await yes.click();
    await expect(row).toContainText(t('禁用', 'Disabled'));
    await runAction(row, t('删除', 'Delete'));
    await yes.click();
    await expect(toast(page)).toHaveText(t('删除成功', 'Delete: done'));
    await expect(row).toHaveCount(0);
    expect((await billing.seller.call(tempCardCalls.list, { account: prefix })).total).toBe(1);

    await page.goto(`/log/system?content=${account}`);
    await expect(main(page)).toContainText(t(`查看用户 ${account} 的上网密码`, `password of user ${account}`));
  });
}

test('opens many accounts in the background and shows the progress, also among earlier openings', { tag: '@all' }, async ({ page }) => {
  const billing = await makeBillingFixture();
  const { prefix } = await makePrefix(billing);
  await loginAt(page, billing.seller, '/user/batch');
  const form = page.getByRole('form', { name: '按规则批量开户' });
  await fillRule(form, billing, { prefix, start: '1', count: '601' }, 'zh');
  // The progress is too short to observe, so one response is replaced.
  await page.route(
    addressOf(openingCalls.read),
    async (route) => {
      const { data, ...rest } = await (await route.fetch()).json();
      await route.fulfill({ json: { ...rest, data: { ...data, state: 'running', progress: 40 } } });
    },
    { times: 1 },
  );
  const pendingCall = page.waitForResponse(addressOf(addCalls.add));
  await form.getByRole('button', { name: '按规则开户', exact: true }).click();
  expect((await (await pendingCall).json()).data.job_id).toEqual(expect.any(Number));
  const shown = result(page, 'zh');
  await expect(shown).toContainText('共 601 个');
  await expect(shown.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40');
  await expect(shown).toContainText('任务在后台执行');
  await expect(shown.getByRole('status')).toContainText('已完成');
  await expect(shown.getByRole('status')).toContainText('成功 601');
  expect((await billing.seller.call(userCalls.list, { account: prefix })).total).toBe(601);

  // Sent values are not unsaved changes, so switching the tab needs no confirmation.
  await page.getByRole('tab', { name: '我的批量开户' }).click();
  const row = rows(page).filter({ hasText: '601' }).first();
  await expect(row).toContainText('100%');
  await expectAccessible(page);
  await row.getByText('结果', { exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('成功 601');
});

for (const lang of storyLangs(import.meta.url)) {
  const t = (...text: Text) => say(text, lang);

  test(`opens an account with the values of a changed opening configuration (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    const { list } = await vno.call(openConfigCalls.list, { account_type: 'maritime_crew' });
    const [config] = list;
    await loginAt(page, vno, '/user/account?account_type=maritime_crew', { lang });
    const crew = t('海事船员账号', 'Maritime (crew)');
    await expect(rows(page)).toHaveCount(1);
    await runAction(rowOf(page, crew), t('修改配置', 'Edit configuration'));
    const box = dialog(page, t('修改开户配置', 'Edit opening configuration'));
    await confirm(box, lang);
    await expect(toast(page)).toHaveText(t('您未做任何修改', "You haven't made any changes"));
    await input(box, t('账号有效天数', 'Valid days')).fill('3651');
    await confirm(box, lang);
    await expect(refusal(box, t('账号有效天数', 'Valid days'))).toHaveText(t('数值范围为1-3650', 'Between 1 and 3650'));
    await input(box, t('账号有效天数', 'Valid days')).fill('30');
    await input(box, t('允许登录数', 'Allowed logins')).fill('4');
    await input(box, t('配置名称', 'Configuration')).fill('近海船员 Crew');
    await line(box, t('须实名', 'Real-name required')).getByRole('switch').click();
    await confirm(box, lang);
    await expect(toast(page)).toHaveText(t('修改配置成功', 'Edit configuration: done'));
    const row = rowOf(page, '近海船员 Crew');
    await expect(row).toContainText('30');
    await runAction(row, t('详情', 'Details'));
    const panel = page.getByRole('dialog');
    await expect(panel).toContainText('近海船员 Crew');
    await panel.getByRole('button', { name: t('关闭', 'Close') }).click();
    await expect(panel).toHaveCount(0);
    await expectAccessible(page);

    await runAction(row, t('按此配置开户', 'Open with this configuration'));
    await expect(page).toHaveURL(new RegExp(`/user/create\\?config_id=${config?.id}$`));
    const form = page.getByRole('form', { name: t('用户开户', 'Open account') });
    await expect(line(form, t('账号类型', 'Account type'))).toContainText(crew);
    await expect(input(form, t('允许登录数', 'Allowed logins'))).toHaveValue('4');
    const until = await page.evaluate(() => new Date(Date.now() + 30 * 86_400_000).toLocaleDateString('sv'));
    await expect(input(form, t('账号到期时间', 'Expiry date'))).toHaveValue(new RegExp(`^${until}`));
    await form.getByRole('button', { name: t('提交开户', 'Open account') }).click();
    await expect(refusal(form, t('姓名', 'Full name'))).toBeVisible();
    await expect(refusal(form, t('证件号码', 'ID number'))).toHaveCount(0);
  });
}
