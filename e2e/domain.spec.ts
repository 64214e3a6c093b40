import { say } from '@farlink/contract/kit/text.ts';
import { expect } from '@playwright/test';
import { newCertificate } from './support/certificate.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, unique } from './support/world.ts';

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`sets a domain with its certificate, and shows the DNS record that proves the ownership (${lang})`, async ({ page }) => {
    const domain = `${unique('noc')
      .replace(/[^a-z0-9-]/gi, '')
      .toLowerCase()}.example.org`;
    const matching = newCertificate(domain);
    const other = newCertificate(domain);
    await loginAt(page, await newVno(), '/market/domain', { lang });
    const row = rowOf(page, t('管理后台', 'Console'));
    await expect(row).toContainText(t('未设置', 'Not set'));
    await expect(rowOf(page, t('认证门户', 'Portal'))).toBeVisible();

    await runAction(row, t('设置', 'Set'));
    const form = dialog(page, t('域名设置', 'Domain setup'));
    await input(form, t('域名', 'Domain')).fill('com.cn');
    await confirm(form, lang);
    await expect(refusal(form, t('域名', 'Domain'))).toContainText(t('公共后缀', 'public suffix'));
    await input(form, t('域名', 'Domain')).fill(domain.toUpperCase());
    await line(form, t('启用HTTPS', 'HTTPS')).getByRole('switch').click();
    await confirm(form, lang);
    await expect(refusal(form, t('密钥文件', 'Key file'))).toHaveText(t('请选择密钥文件', 'Please select key file'));
    await line(form, t('证书文件', 'Certificate file')).locator('input[type=file]').setInputFiles(matching.cert);
    await line(form, t('密钥文件', 'Key file')).locator('input[type=file]').setInputFiles(other.key);
    await confirm(form, lang);
    await expect(refusal(form, t('密钥文件', 'Key file'))).toHaveText(t('密钥与证书不匹配', 'The key does not match the certificate'));
    await line(form, t('密钥文件', 'Key file')).locator('input[type=file]').setInputFiles(matching.key);
    await confirm(form, lang);
    await expect(toast(page)).toBeVisible();
    await expect(form).toHaveCount(0);

    await page.reload();
    await expect(row).toContainText(domain);
    await expect(row).toContainText('site.crt');
    await expect(row).toContainText(t('待验证', 'Waiting for proof'));
    await runAction(row, t('设置', 'Set'));
    await expect(input(form, t('域名', 'Domain'))).toHaveValue(domain);
    await expect(line(form, t('启用HTTPS', 'HTTPS')).getByRole('switch')).toBeChecked();
    await confirm(form, lang);
    await expect(toast(page)).toContainText(t('您未做任何修改', "You haven't made any changes"));
    await form.getByRole('button', { name: t('取消', 'Cancel'), exact: true }).click();

    await runAction(row, t('验证', 'Verify'));
    const proof = dialog(page, t('所有权验证', 'Verify ownership'));
    await expect(proof).toContainText(`_farlink.${domain}`);
    await expect(proof).toContainText(/farlink-[0-9a-f]{40}/);
    await expectAccessible(page);
    await proof.getByRole('button', { name: t('立即检查', 'Check now') }).click();
    await expect(proof.getByRole('status')).toBeVisible();
  });
}
