import { isLang } from '@farlink/contract/kit/text.ts';
import { qrSvg } from '@farlink/portal/qr-code.ts';
import { sampleData } from '@farlink/portal/sample-data.ts';
import { portalPolicy } from '@farlink/portal/site.ts';
import { homeViews, isPanelView, type View } from '@farlink/portal/view.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findBrand } from '../../domain/brand/brand.ts';
import { logoMime, readLogo } from '../../domain/brand/read-logo.ts';
import { portalImage } from '../../domain/portal/portal-image.ts';
import { type PreviewSite, previewSite } from '../../domain/portal/preview-site.ts';
import { openPreviewToken } from '../../domain/portal/preview-token.ts';
import type { Deps } from '../../kit/deps.ts';

/** The policy of the portal, but shown in a frame of the console. */
const previewPolicy = portalPolicy.replace("frame-ancestors 'none'", "frame-ancestors 'self'");

const headers = {
  'content-security-policy': previewPolicy,
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  // The preview dialog is a sandbox without an origin, so files come from another origin there. The frame of the editor keeps its origin.
  'cross-origin-resource-policy': 'cross-origin',
};

interface Page {
  readonly mime: string;
  readonly body: string | Buffer;
}

const sampleCode = qrSvg('https://example.com/pay/P20261117080512');

/** Links of a page lead to other sample pages; the order of the sample leads to the payment. */
const viewOf = (state: (typeof homeViews)[number], name: string): View | undefined => {
  if (name === '') return state;
  if (name.startsWith('pay/')) return 'paying';
  return isPanelView(name) ? name : undefined;
};

/** A portal and the logo of its VNO. */
interface Shown extends PreviewSite {
  readonly logo: string | null;
}

const pageOf = ({ site, logo }: Shown, root: string, rest: string): Page | undefined => {
  const [, lang, stateName, name = ''] = /^(zh|en)\/([a-z]+)\/([A-Za-z0-9/]*)$/.exec(rest) ?? [];
  const state = homeViews.find((one) => one === stateName);
  const view = state && viewOf(state, name);
  if (!isLang(lang) || !state || !view) return undefined;
  const other = lang === 'zh' ? 'en' : 'zh';
  const here = `${root}${lang}/${state}/`;
  const data = sampleData(state, lang, { root, here, other: `${root}${other}/${state}/${name}`, ...(logo !== null && { logo }) });
  return { mime: 'text/html; charset=utf-8', body: site.page(view, lang, data) };
};

const fileOf = async (deps: Deps, shown: Shown, rest: string): Promise<Page | undefined> => {
  if (rest === 'qr.svg') return { mime: 'image/svg+xml', body: sampleCode };
  if (rest === shown.logo) {
    const body = await readLogo(deps.config, rest);
    return body && { mime: logoMime(rest), body };
  }
  const asset = /^asset\/(.+)$/.exec(rest)?.[1];
  if (asset !== undefined) {
    const found = shown.site.assets.get(asset);
    return found && { mime: found.mime, body: found.text };
  }
  const sha256 = /^img\/([0-9a-f]{64})\.(png|jpg)$/.exec(rest)?.[1];
  return sha256 === undefined ? undefined : portalImage(deps, shown.images, sha256);
};

type Request = FastifyRequest<{ Params: { token: string; '*': string } }>;

const gone =
  '<!doctype html><meta charset="utf-8"><title>预览已过期 Preview expired</title><p>预览已过期，请重新打开。The preview has expired. Please open it again.</p>';

const notFound = (reply: FastifyReply) => reply.status(404).headers(headers).type('text/html; charset=utf-8').send(gone);

/** Previews of portals with sample data. The token in the path authorises; no cookie is read. */
export const portalPreviewRoutes = (deps: Deps) => async (app: FastifyInstance) => {
  app.get('/portal/preview/:token/*', async (request: Request, reply) => {
    const { token: sealed, '*': path } = request.params;
    const token = openPreviewToken(deps.config, sealed, deps.clock.now());
    const [source = ''] = path.split('/', 1);
    const site = token && (await previewSite(deps.db, token, source));
    if (!site) return notFound(reply);
    const brand = site.agent_id === null ? undefined : await findBrand(deps.db, site.agent_id);
    const shown = { ...site, logo: brand?.logo ?? null };
    const rest = path.slice(source.length + 1);
    const page = pageOf(shown, `/portal/preview/${sealed}/${source}/`, rest) ?? (await fileOf(deps, shown, rest));
    return page ? reply.headers(headers).type(page.mime).send(page.body) : notFound(reply);
  });
};
