import { buffer } from 'node:stream/consumers';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { portalCalls } from '@farlink/contract/market/portal.ts';
import sharp from 'sharp';
import { ZipFile } from 'yazl';
import { type Api, type Caller, type Reply, readReply } from './api.ts';

/** Sends a multipart form with files, as a browser does. */
export const sendForm = async <T>(
  api: Api,
  by: Caller,
  call: Endpoint,
  values: Readonly<Record<string, string | number | File>>,
): Promise<Reply<T>> => {
  const form = new FormData();
  const { id, ...rest } = values;
  const all: typeof values = { lang: 'zh', uid: by.session?.uid ?? 0, agent_id: by.session?.agent_id ?? 0, ...rest };
  for (const [key, value] of Object.entries(all)) form.append(key, value instanceof File ? value : String(value));
  const path = call.path.replace('{id}', String(id));
  return readReply<T>(
    await fetch(`${api.base}/agt/v1/${path}`, { method: call.method, body: form, headers: { authorization: by.session?.token ?? '' } }),
  );
};

export const pngOf = (width: number, height: number, background = '#2f6fed'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

export const fileOf = (bytes: Uint8Array, name: string): File => new File([new Uint8Array(bytes)], name);

export const zipOf = (files: Readonly<Record<string, string | Uint8Array>>, mode?: number): Promise<Buffer> => {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), name, { mtime: new Date(0), ...(mode !== undefined && { mode }) });
  zip.end();
  return buffer(zip.outputStream);
};

export const theme = { primary: '#0f766e', background: '#ecfdf5', scheme: 'light', radius: 8, size: 'normal' };

/** A well-formed template package. */
export const goodPackage = async (): Promise<Record<string, string | Uint8Array>> => ({
  'manifest.json': JSON.stringify({
    name: 'Harbour',
    version: '1.0.0',
    theme,
    blocks: [
      { id: 'header', kind: 'header', text: ['', ''], logo: 'images/logo.png' },
      { id: 'hello', kind: 'fragment', name: 'hello' },
      { id: 'login', kind: 'login', tone: 'card', register: true },
      { id: 'packages', kind: 'packages', tone: 'card' },
    ],
  }),
  'style.css': '/* harbour */ .block{border:1px solid var(--line)} .hello{background:url(images/logo.png) no-repeat;padding:1rem}',
  'fragments/hello.html': '<div class="hello"><p>欢迎 {{account}} &amp; bon voyage</p><img src="images/logo.png" alt="Harbour"></div>',
  'images/logo.png': await pngOf(190, 60),
});

export const uploadImage = (api: Api, by: Caller, bytes: Uint8Array, more: Readonly<Record<string, number>> = {}) =>
  sendForm<{ sha256: string; ext: 'png'; width: number; height: number; url: string }>(api, by, portalCalls.upload, {
    file: fileOf(bytes, 'logo.png'),
    ...more,
  });

export const uploadPackage = async (api: Api, by: Caller, name: string, files: Readonly<Record<string, string | Uint8Array>>) =>
  sendForm<{ id: number }>(api, by, portalCalls.uploadTemplate, {
    name,
    device_type: 'ship',
    file: fileOf(await zipOf(files), 'template.zip'),
  });

/** The built-in template of a device type. */
export const builtInTemplate = async ({ db }: Api, code: string): Promise<number> =>
  (await db.selectFrom('portal_template').select('id').where('code', '=', code).executeTakeFirstOrThrow()).id;

export const makePortal = async (api: Api, by: Caller, name: string, more: Readonly<Record<string, unknown>> = {}): Promise<number> => {
  const template_id = await builtInTemplate(api, 'ship');
  const made = await by.call(portalCalls.create, { name, template_id, device_type: 'ship', billing_type: 'charged', ...more });
  if (made.code !== 0) throw new Error(`portal ${name}: ${made.msg} ${JSON.stringify(made.data)}`);
  return made.data.id;
};
