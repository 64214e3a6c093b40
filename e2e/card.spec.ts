import { readFileSync } from 'node:fs';
import { cardCalls } from '@farlink/contract/card/card.ts';
import { cardRuleCalls } from '@farlink/contract/card/card-rule.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Page } from '@playwright/test';
import { logIn } from './support/api.ts';
import { nextCall } from './support/calls.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { rowOf, rows, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { grantsOf, makeStaff, newVno, type Operator, unique } from './support/world.ts';

/** Creates a batch of three amount cards and waits until it is ready. */
const makeBatch = async (vno: Operator, name = unique('B')) => {
  const { id } = await vno.call(cardRuleCalls.make, {
    name,
    cards: [{ card_type: 'amount', denomination: '50.00', count: 3 }],
    bind_type: 'none',
    expire_at: Math.floor(Date.now() / 1000) + 30 * 86_400,
  });
  await expect.poll(async () => (await vno.call(cardRuleCalls.read, { id })).state).toBe('ready');
  return { id, name };
};

const showPassword = async (page: Page, lang: 'zh' | 'en') => {
  await page.getByRole('button', { name: say(['列设置', 'Columns'], lang) }).click();
  await page.getByRole('checkbox', { name: say(['卡密', 'Card password'], lang) }).check();
  await page.keyboard.press('Escape');
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`creates cards of several types in the background and finds them by batch (${lang})`, async ({ page }) => {
    const name = unique('B');
    await loginAt(page, await newVno(), '/card/manage', { lang });
    await page
      .getByRole('main')
      .getByRole('button', { name: t('制卡', 'Make cards'), exact: true })
      .click();
    const form = page.getByRole('form', { name: t('制卡', 'Make cards') });
    const send = form.getByRole('button', { name: t('确认制卡', 'Make cards') });
    await send.click();
    await expect(refusal(form, t('批次名称', 'Batch name'))).toBeVisible();
    const first = form.getByRole('listitem', { name: t('第1行', 'Line 1') });
    await expect(first.getByRole('alert')).toHaveText(t('请选择套餐', 'Please select package'));
    await expectAccessible(page);

    await input(form, t('批次名称', 'Batch name')).fill(name);
    await form.getByRole('button', { name: t('添加一行', 'Add a line') }).click();
    for (const at of [1, 2]) {
      const item = form.getByRole('listitem', { name: t(`第${at}行`, `Line ${at}`) });
      await item.getByText(t('金额卡', 'Amount card')).click();
      await item.getByLabel(t('面值（元）', 'Denomination (yuan)')).fill('20');
      await item.getByLabel(t('制卡数量', 'Number of cards')).fill(String(at * 4));
    }
    await line(form, t('有效期至', 'Expires at')).getByRole('textbox').fill('2099-12-31');
    await page.keyboard.press('Enter');
    await send.click();
    await expect(form).toContainText(t('同一套餐或面值只能出现一次', 'Each package or denomination can appear only once'));
    await form
      .getByRole('listitem', { name: t('第2行', 'Line 2') })
      .getByLabel(t('面值（元）', 'Denomination (yuan)'))
      .fill('30.5');
    const sent = nextCall(page, cardRuleCalls.make);
    const worth = t('面值合计 ¥324.00', 'Total face value ¥324.00');
    const unbilled = t('制卡不收款，不产生账单', 'Making cards charges nothing and creates no bill');
    for (const text of [t('面值 ¥30.50 × 8 张 = ¥244.00', 'face value ¥30.50 × 8 cards = ¥244.00'), worth, unbilled])
      await expect(form.getByRole('status')).toContainText(text);
    await send.click();
    await expect(dialog(page)).toContainText(worth);
    await confirm(dialog(page), lang);
    expect((await sent).postDataJSON().cards).toEqual([
      { card_type: 'amount', denomination: '20.00', count: 4 },
      { card_type: 'amount', denomination: '30.50', count: 8 },
    ]);
    // The list polls until the cards are ready.
    await expect(rowOf(page, '30.50')).toContainText(t('已完成', 'Ready'));
    await rowOf(page, '30.50').getByRole('link').click();
    await expect(page).toHaveURL(/\/card\/all\?rule_id=\d+/);
    await expect(rows(page)).toHaveCount(8);
  });

  test(`reveals a password on request, and changes and voids selected cards (${lang})`, async ({ page }) => {
    const vno = await newVno();
    const { id } = await makeBatch(vno);
    await loginAt(page, vno, `/card/all?rule_id=${id}`, { lang });
    await showPassword(page, lang);
    await expect(rows(page).first()).toContainText('****');
    await rows(page)
      .first()
      .getByRole('button', { name: t('显示卡密', 'Show Card password') })
      .click();
    await expect(rows(page).first()).toContainText(/[A-HJKMNP-Z2-9]{16}/);

    await runAction(rows(page).first(), t('修改', 'Modify'));
    const box = dialog(page, t('修改充值卡', 'Modify cards'));
    await confirm(box, lang);
    await expect(toast(page)).toHaveText(t('您未做任何修改', "You haven't made any changes"));
    await input(box, t('备注', 'Remark')).fill('gift');
    await confirm(box, lang);
    await expect(box).toHaveCount(0);

    await rows(page).nth(0).getByRole('checkbox').check();
    await rows(page).nth(1).getByRole('checkbox').check();
    const sent = nextCall(page, cardCalls.change);
    await page
      .locator('.toolbar')
      .getByRole('button', { name: t('作废', 'Void') })
      .click();
    await expect(dialog(page)).toContainText(t('作废后不可恢复', 'Voided cards cannot be restored'));
    await confirm(dialog(page), lang);
    expect((await sent).postDataJSON()).toMatchObject({ status: 'disabled' });
    await expect(rowOf(page, t('已作废', 'Voided'))).toHaveCount(2);
  });

  test(`prints the chosen batches and lists the file in the log (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    const { name } = await makeBatch(vno);
    await loginAt(page, vno, '/card/manage', { lang });
    await rowOf(page, name).getByRole('checkbox').check();
    await page.getByRole('button', { name: t('导出批次', 'Export batch') }).click();
    const drawer = dialog(page, t('导出 · 制卡管理', 'Export · Card batches'));
    await expect(drawer).toContainText(t('导出所选的 1 条数据', 'Exports the 1 selected rows'));
    await drawer.getByText(t('打印卡片 (PDF)', 'Print sheet (PDF)')).click();
    await drawer.getByRole('button', { name: t('开始导出', 'Start export') }).click();
    await expect(drawer.getByText(t('导出成功', 'Succeeded'))).toBeVisible();
    await page.goto('/card/export');
    const waiting = page.waitForEvent('download');
    await rows(page).first().locator('.row-actions').getByText(t('下载', 'Download')).click();
    const file = await waiting;
    expect(file.suggestedFilename()).toMatch(/\.pdf$/);
    expect(
      readFileSync(await file.path())
        .subarray(0, 8)
        .toString(),
    ).toBe('%PDF-1.4');
  });
}

test('hides passwords and the void action with show-only rights', { tag: '@all' }, async ({ page }) => {
  const vno = await newVno();
  const { id } = await makeBatch(vno);
  const { username } = await makeStaff(vno, grantsOf(['card_all', 'card_manage'], '10'));
  await loginAt(page, await logIn(username), `/card/all?rule_id=${id}`);
  await showPassword(page, 'zh');
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).first().getByRole('button', { name: '显示卡密' })).toHaveCount(0);
  await rows(page).first().getByRole('checkbox').check();
  await expect(page.locator('.toolbar').getByRole('button', { name: '作废' })).toBeDisabled();
});
