import { say, type Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { staffRoles } from '@farlink/contract/permission/role.ts';
import { staffCalls, subForms } from '@farlink/contract/permission/sub-account.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { as, password } from './support/api.ts';
import { callsTo, nextCall } from './support/calls.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose, rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessibleInBothThemes } from './support/violations.ts';
import { grantsOf, makeRole, makeStaff, sharedVno, unique } from './support/world.ts';

const texts = {
  create: ['新增子账号', 'New sub-account'],
  edit: ['编辑', 'Edit'],
  cancel: ['取消', 'Cancel'],
  discard: ['有未保存的修改，确定放弃吗？', 'You have unsaved changes. Discard them?'],
} as const satisfies Record<string, Text>;

const path = '/permission/customer';
type Name = keyof typeof subForms.create.fields;
const labelOf = (name: Name, lang: 'zh' | 'en' = 'zh') => say(subForms.create.fields[name].label, lang);

const openCreate = async (page: Page, lang: 'zh' | 'en' = 'zh') => {
  await page
    .getByRole('main')
    .getByRole('button', { name: say(texts.create, lang) })
    .click();
  const box = dialog(page, say(subForms.create.title, lang));
  await expect(box).toBeVisible();
  return box;
};
const cancel = (box: Locator, lang: 'zh' | 'en' = 'zh') => box.getByRole('button', { name: say(texts.cancel, lang), exact: true }).click();

for (const lang of storyLangs(import.meta.url)) {
  test(`shows a missing value at its field and focuses the first one (${lang})`, async ({ page }) => {
    await loginAt(page, await sharedVno(), path, { lang });
    const box = await openCreate(page, lang);
    const pendingCall = callsTo(page, staffCalls.create);
    await confirm(box, lang);
    const required: Name[] = ['username', 'name', 'password', 'repassword', 'phone', 'role_id'];
    for (const name of required) {
      const label = labelOf(name, lang);
      // English: "Please confirm password", and "Please select role".
      const english = name === 'repassword' ? 'Please ' : name === 'role_id' ? 'Please select ' : 'Please enter ';
      const verb = { zh: name === 'role_id' ? '请选择' : '请输入', en: english }[lang];
      await expect(refusal(box, label)).toHaveText(`${verb}${label.toLowerCase()}`);
    }
    await expect(box.getByRole('alert')).toHaveCount(required.length);
    const first = input(box, labelOf('username', lang));
    await expect(first).toBeFocused();
    await expect(first).toHaveAccessibleName(labelOf('username', lang));
    await expect(first).toHaveAttribute('aria-invalid', 'true');
    await expect(first).toHaveAccessibleDescription(`${say(['请输入', 'Please enter '], lang)}${labelOf('username', lang).toLowerCase()}`);
    expect(pendingCall).toHaveLength(0);

    await first.fill('someone');
    await expect(refusal(box, labelOf('username', lang))).toHaveCount(0);
    await expect(box.getByRole('alert')).toHaveCount(required.length - 1);
  });

  test(`shows a server error at its field, such as a name in use (${lang})`, async ({ page }) => {
    const vno = await sharedVno();
    const { username, role } = await makeStaff(vno);
    await loginAt(page, vno, path, { lang });
    const box = await openCreate(page, lang);
    await input(box, labelOf('username', lang)).fill(username);
    await input(box, labelOf('name', lang)).fill('员工乙');
    await input(box, labelOf('password', lang)).fill(password);
    await input(box, labelOf('repassword', lang)).fill(password);
    await input(box, labelOf('phone', lang)).fill('13900000003');
    await choose(box, new RegExp(labelOf('role_id', lang)), role.name);
    await confirm(box, lang);
    await expect(refusal(box, labelOf('username', lang))).toHaveText(say(['登录账号已存在', 'Login account already exists'], lang));
    await expect(input(box, labelOf('username', lang))).toBeFocused();

    const free = unique('staff_');
    await input(box, labelOf('username', lang)).fill(free);
    await expect(box.getByRole('alert')).toHaveCount(0);
    await confirm(box, lang);
    await expect(box).toBeHidden();
    await expect(rowOf(page, free)).toBeVisible();
  });

  test(`refuses an edit without changes (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await sharedVno();
    const { username } = await makeStaff(vno);
    await loginAt(page, vno, `${path}?username=${username}`, { lang });
    const pendingCall = callsTo(page, staffCalls.update);
    await runAction(rowOf(page, username), say(texts.edit, lang));
    const box = dialog(page, say(subForms.edit.title, lang));
    await input(box, labelOf('name', lang)).fill('员工甲 ');
    await confirm(box, lang);
    await expect(toast(page)).toHaveText(say(['您未做任何修改', "You haven't made any changes"], lang));
    await expect(box).toBeVisible();
    expect(pendingCall).toHaveLength(0);
  });

  test(`refuses to overwrite a row that another operator has changed (${lang})`, { tag: '@all' }, async ({ page, browser }) => {
    const vno = await sharedVno();
    const { username } = await makeStaff(vno);
    const other = await (await browser.newContext()).newPage();
    await loginAt(page, vno, `${path}?username=${username}`, { lang });
    await loginAt(other, vno, `${path}?username=${username}`, { lang });
    for (const tab of [page, other]) {
      await runAction(rowOf(tab, username), say(texts.edit, lang));
      await expect(dialog(tab)).toBeVisible();
    }
    const rename = async (tab: Page, name: string) => {
      await input(dialog(tab), labelOf('name', lang)).fill(name);
      await confirm(dialog(tab), lang);
    };
    await rename(page, '第一个');
    await expect(rowOf(page, '第一个')).toBeVisible();
    await rename(other, '第二个');
    await expect(toast(other)).toHaveText(
      say(['数据已被他人修改，请刷新后重试', 'Someone else changed this data. Refresh and try again.'], lang),
    );
    await expect(dialog(other)).toBeVisible();
    await expect(input(dialog(other), labelOf('name', lang))).toHaveValue('第二个');
    await other.context().close();
  });

  test(`shows the password rule and requires a confirmation (${lang})`, { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await sharedVno(), path, { lang });
    const box = await openCreate(page, lang);
    const first = input(box, labelOf('password', lang));
    const second = input(box, labelOf('repassword', lang));
    await expect(first).toHaveAttribute('type', 'password');
    await first.fill('abc');
    await first.blur();
    await expect(refusal(box, labelOf('password', lang))).toHaveText(
      say(
        [
          '长度须为6-18个字符、须再包含数字或另一种大小写的字母（长度为6-18个字符，须由字母和数字组成，大写字母、小写字母、数字至少包含两类）',
          'Use 6-18 characters, add digits or letters of the other case (6-18 characters, letters and digits, with at least two of upper case, lower case and digits)',
        ],
        lang,
      ),
    );
    await first.fill('abcdef1');
    await expect(refusal(box, labelOf('password', lang))).toHaveCount(0);
    await second.fill('abcdef2');
    await second.blur();
    await expect(refusal(box, labelOf('repassword', lang))).toHaveText(
      say(['两次输入的密码不一致', 'The two passwords are different'], lang),
    );
    await second.fill('abcdef1');
    await expect(refusal(box, labelOf('repassword', lang))).toHaveCount(0);
  });

  test(`asks before unsaved input is lost, and shows a toast on cancel (${lang})`, async ({ page }) => {
    await loginAt(page, await sharedVno(), path, { lang });
    const box = await openCreate(page, lang);
    await input(box, labelOf('name', lang)).fill('草稿');
    await cancel(box, lang);
    const question = dialog(page).filter({ hasText: say(texts.discard, lang) });
    await cancel(question, lang);
    await expect(toast(page)).toHaveText(say(['已取消', 'Cancelled'], lang));
    await expect(input(box, labelOf('name', lang))).toHaveValue('草稿');

    await box.getByRole('button', { name: say(['关闭', 'Close'], lang) }).click();
    await confirm(question, lang);
    await expect(box).toBeHidden();
  });
}

test('shows a dialog 500 px wide, 15vh from the top, that ignores Esc and outside clicks', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await sharedVno(), path);
  const box = await openCreate(page);
  const frame = page.locator('.ant-modal');
  await expect.poll(async () => (await frame.boundingBox())?.width).toBe(limits.dialogWidth);
  expect((await frame.boundingBox())?.y).toBeCloseTo((page.viewportSize()?.height ?? 0) * 0.15, 0);
  await page.keyboard.press('Escape');
  await page.mouse.click(300, 780);
  await page.mouse.click(1300, 40);
  await expect(box).toBeVisible();
  await cancel(box);
  await expect(box).toBeHidden();
  await expect(page.getByRole('button', { name: texts.create[0] })).toBeFocused();
});

test('trims texts on blur, and counts and marks a long text without cutting it', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await sharedVno(), path);
  const box = await openCreate(page);
  const name = input(box, labelOf('name'));
  await name.fill('  员工  ');
  await name.blur();
  await expect(name).toHaveValue('员工');
  const row = line(box, labelOf('name'));
  await expect(row).toContainText('2 / 20');
  await name.fill('长'.repeat(21));
  await expect(row).toContainText('21 / 20');
  await expect(row.locator('.ant-input-out-of-range')).toBeVisible();
  await name.blur();
  await expect(refusal(box, labelOf('name'))).toHaveText('2-20个字符');
  await expect(name).toHaveValue('长'.repeat(21));
  await expect(line(box, labelOf('remark'))).toContainText('0 / 512');
});

test('shows and sends a limit only while it is enabled', { tag: '@all' }, async ({ page }) => {
  const vno = await sharedVno();
  const { username } = await makeStaff(vno);
  await loginAt(page, vno, `${path}?username=${username}`);
  await runAction(rowOf(page, username), '编辑');
  const box = dialog(page, '编辑子账号');
  await expect(line(box, labelOf('income_limit'))).toHaveCount(0);
  await box.getByRole('switch', { name: labelOf('income_limit_enable') }).click();
  await confirm(box);
  await expect(refusal(box, labelOf('income_limit'))).toHaveText('请输入收款上限（元）');
  await input(box, labelOf('income_limit')).fill('12.345');
  await expect(refusal(box, labelOf('income_limit'))).toBeVisible();
  await input(box, labelOf('income_limit')).fill('1234.5');
  const pendingCall = nextCall(page, staffCalls.update);
  await confirm(box);
  const request = await pendingCall;
  const { session } = vno;
  expect(request.headers()['content-type']).toBe('application/json');
  expect(new URL(request.url()).pathname).toMatch(/^\/agt\/v1\/customer\/\d+$/);
  expect(new URL(request.url()).search).toBe('');
  expect(request.postDataJSON()).toMatchObject({
    lang: 'zh',
    uid: session.uid,
    agent_id: session.agent_id,
    version: expect.any(Number),
    income_limit: '1234.50',
  });
  await expect(rowOf(page, username)).toContainText('1,234.50');

  await runAction(rowOf(page, username), '编辑');
  await expect(input(box, labelOf('income_limit'))).toHaveValue('1234.50');
  await box.getByRole('switch', { name: labelOf('income_limit_enable') }).click();
  await expect(line(box, labelOf('income_limit'))).toHaveCount(0);
  await confirm(box);
  await expect(box).toBeHidden();
  await expect(rowOf(page, username)).not.toContainText('1,234.50');
});

test('requires a new phone and a new role name to differ from the old ones', { tag: '@all' }, async ({ page }) => {
  const vno = await sharedVno();
  const { username } = await makeStaff(vno);
  await loginAt(page, vno, `${path}?username=${username}`);
  await runAction(rowOf(page, username), '修改手机号');
  const phones = dialog(page, '修改手机号');
  await expect(line(phones, '原手机号')).toContainText('13900000002');
  await input(phones, '新手机号').fill('13900000002');
  await confirm(phones);
  await expect(refusal(phones, '新手机号')).toHaveText('新手机号不能与原手机号相同');
  await input(phones, '新手机号').fill('13900000009');
  await confirm(phones);
  await expect(rowOf(page, username)).toContainText('13900000009');

  const role = await makeRole(vno, grantsOf(['system_log']));
  await page.goto(`/permission/role?name=${encodeURIComponent(role.name)}`);
  await runAction(rowOf(page, role.name), '重命名');
  const names = dialog(page, '重命名角色');
  await confirm(names);
  await expect(refusal(names, '角色名称')).toHaveText('角色名称未修改');
  const next = unique('新名');
  await input(names, '角色名称').fill(next);
  const pendingCall = nextCall(page, staffRoles.calls.update);
  await confirm(names);
  expect((await pendingCall).postDataJSON()).not.toHaveProperty('permissions');
  await expect(toast(page)).toHaveText('重命名成功');
});

test('submits the form on Enter', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await sharedVno(), path);
  const box = await openCreate(page);
  await input(box, labelOf('name')).press('Enter');
  await expect(refusal(box, labelOf('username'))).toBeVisible();
});

test('a form with errors has no serious violation of WCAG 2.2 AA', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), path);
  const box = await openCreate(page);
  await input(box, labelOf('name')).fill('长'.repeat(21));
  await confirm(box);
  await expect(refusal(box, labelOf('username'))).toBeVisible();
  await expectAccessibleInBothThemes(page);
});
