import { expect, it } from 'vitest';
import { downloadPreview, secondsFor } from './download-preview.ts';

const on = (network: '6d' | 'l_band' | 'lte', online_state = 1) => ({ network, online_state });

it('shows bytes and time for each class of link', () => {
  const notes = downloadPreview('en', 10 * 1024 * 1024, [on('6d'), on('6d'), on('lte')]);
  expect(notes.map((n) => n.text)).toEqual([
    '10 MB for each of 3 devices, 30 MB in total',
    '2 on 6D, about 20s each',
    '1 on LTE, about 8s each',
  ]);
});

it('needs no sum for a single device', () => {
  expect(downloadPreview('en', 2048, [on('6d')])[0]).toEqual({ text: '2 KB to download' });
});

it('warns of devices that would have to wait', () => {
  const notes = downloadPreview('zh', 1024, [on('l_band'), on('6d', 0)]);
  expect(notes.filter((n) => n.tone === 'warning').map((n) => n.text)).toEqual([
    '1 台在L波段链路：不在此链路下载，切换到其他链路后继续',
    '1 台离线：上线后继续',
  ]);
});

it('gives no duration for a link that is billed by volume', () => {
  expect(secondsFor(1, 'l_band')).toBeUndefined();
  expect(secondsFor(1, '6d')).toBe(1);
});
