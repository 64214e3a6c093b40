import { langs } from '@farlink/contract/kit/text.ts';
import { infoCalls } from '@farlink/contract/market/info-setup.ts';
import { portalCalls } from '@farlink/contract/market/portal.ts';
import { defaultDocument } from '@farlink/portal/default-document.ts';
import { expect } from '@playwright/test';
import { makePortal } from './support/portal.ts';
import { test } from './support/test.ts';
import { newVno } from './support/world.ts';

/** Blocks whose content does not depend on data of the VNO. */
const fixed = ['header', 'welcome', 'login', 'agreement', 'feedback', 'footer'];

test('the preview of a portal and its hosted page have identical screenshots', { tag: '@all' }, async ({ page }) => {
  const vno = await newVno();
  const { code } = await vno.call(infoCalls.read);
  const { id } = await makePortal(vno, 'free');
  const { version, name, template_id } = await vno.call(portalCalls.read, { id });
  const whole = defaultDocument('free', ['远联船员网', 'Farlink Crew']);
  const blocks = whole.blocks
    .filter(({ kind }) => fixed.includes(kind))
    .map((block) => (block.kind === 'login' ? { ...block, register: false } : block));
  const theme = { ...whole.theme, primary: '#0b7a5b', background: '#eaf5f1' };
  await vno.call(portalCalls.update, { id, version, name, template_id, billing_type: 'free', document: { ...whole, theme, blocks } });
  const { preview, rev } = await vno.call(portalCalls.read, { id });
  for (const width of [360, 768, 1280])
    for (const lang of langs) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${preview}rev-${rev}/${lang}/out/`);
      await expect(page.locator('form')).toBeVisible();
      const shown = await page.screenshot({ fullPage: true });
      await page.goto(`/portal/${code}/${lang}/`);
      await expect(page.locator('form')).toBeVisible();
      expect((await page.screenshot({ fullPage: true })).equals(shown), `${width} ${lang}`).toBe(true);
    }
});
