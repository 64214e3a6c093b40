import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Page } from '@playwright/test';
import { as, logIn, password } from './support/api.ts';
import { confirm, input, refusal } from './support/form.ts';
import { mainMenu } from './support/login.ts';
import { dialog, loginAs, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose, rowOf } from './support/table.ts';
import { test } from './support/test.ts';
import { activate, grantsOf, issueCode, makeRole, newVno, unique } from './support/world.ts';

const main = (page: Page) => page.getByRole('main');

const makeJob = async (page: Page, role: string, kind: string, lang: 'zh' | 'en' = 'zh') => {
  const username = unique('job_');
  await main(page)
    .getByRole('button', { name: say(['新增工号', 'New job number'], lang) })
    .click();
  const box = dialog(page, say(['新增工号', 'New job number'], lang));
  await input(box, say(['登录账号', 'Login account'], lang)).fill(username);
  await input(box, say(['员工姓名', 'Employee name'], lang)).fill('营业员');
  await input(box, say(['登录密码', 'Password'], lang)).fill(password);
  await input(box, say(['确认密码', 'Confirm password'], lang)).fill(password);
  await input(box, say(['手机号', 'Phone'], lang)).fill('13900000021');
  await choose(box, new RegExp(say(['所属角色', 'Role'], lang)), role);
  await box.getByRole('radio', { name: kind }).check();
  await confirm(box, lang);
  return { username, box };
};

for (const lang of storyLangs(import.meta.url)) {
  test(`activates a bought code once, for a limited number of sub job numbers (${lang})`, async ({ page }) => {
    const vno = await newVno();
    const code = await issueCode(vno, 1);
    const role = await makeRole(vno, grantsOf(['system_log'], '10'), { kind: 'job' });
    const sub = say(['子工号', 'Sub job number'], lang);

    await loginAt(page, vno, '/advanced/job-number', { lang });
    const refused = await makeJob(page, role.name, sub, lang);
    await expect(toast(page)).toHaveText(
      say(['子工号授权数量不足，请先激活授权码', 'Not enough authorizations for sub job numbers. Activate a code first.'], lang),
    );
    await refused.box.getByRole('button', { name: say(['取消', 'Cancel'], lang), exact: true }).click();
    await confirm(dialog(page).filter({ hasText: say(['有未保存的修改', 'You have unsaved changes'], lang) }), lang);

    await page.goto('/advanced/authorization');
    await expect(rowOf(page, code)).toContainText(say(['未使用', 'Unused'], lang));
    const label = say(['授权码', 'Authorization code'], lang);
    const box = dialog(page, say(['激活授权码', 'Activate authorization code'], lang));
    const redeem = async (text: string) => {
      await main(page)
        .getByRole('button', { name: say(['激活授权码', 'Activate code'], lang) })
        .click();
      await input(box, label).fill(text);
      await confirm(box, lang);
    };
    await redeem(code);
    await expect(toast(page)).toHaveText(say(['激活授权码成功', 'Activate code: done'], lang));
    await expect(rowOf(page, code)).toContainText(say(['已使用', 'Used'], lang));
    await redeem(code);
    await expect(refusal(box, label)).toHaveText(say(['授权码已被使用', 'The authorization code has been used'], lang));
    await input(box, label).fill('NOT-A-CODE');
    await confirm(box, lang);
    await expect(refusal(box, label)).toHaveText(say(['授权码不存在', 'Unknown authorization code'], lang));

    await page.goto('/advanced/job-number');
    const made = await makeJob(page, role.name, sub, lang);
    await expect(rowOf(page, made.username)).toContainText(sub);
    await page.goto('/advanced/authorization');
    await expect(rowOf(page, code).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '100');
    expect((await logIn(made.username)).session.agent_id).toBe(vno.id);
  });
}

test('lets a master job number open sub job numbers without an authorization', { tag: '@all' }, async ({ page }) => {
  const vno = await newVno();
  await activate(vno, await issueCode(vno, 1));
  const boss = await makeRole(vno, grantsOf(['job_number', 'job_role']), { kind: 'job' });
  const clerk = await makeRole(vno, grantsOf(['job_number'], '10'), { kind: 'job' });
  await loginAt(page, vno, '/advanced/job-number');
  const { username } = await makeJob(page, boss.name, '主工号');
  await expect(rowOf(page, username)).toContainText('主工号');

  const master = await page.context().newPage();
  await loginAt(master, await logIn(username), '/advanced/job-number');
  await expect(main(master).getByText('暂无数据')).toBeVisible();
  const made = await makeJob(master, clerk.name, '子工号');
  await expect(rowOf(master, made.username)).toContainText('营业员');
});

test('hides the authorization page from the platform', { tag: '@all' }, async ({ page }) => {
  await loginAs(page, await as('admin'));
  await page.goto('/advanced/job-number');
  await expect(mainMenu(page).getByRole('link', { name: '工号管理' })).toBeVisible();
  await expect(mainMenu(page).getByRole('link', { name: '授权管理' })).toHaveCount(0);
  await page.goto('/advanced/authorization');
  await expect(page.getByRole('alert')).toContainText('页面不存在');
});
