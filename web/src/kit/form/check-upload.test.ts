import { uploads } from '@farlink/contract/rules.ts';
import { describe, expect, it } from 'vitest';
import { uploadFits } from './check-upload.ts';

describe('a file before upload', () => {
  it('must have a known suffix', () => {
    expect(uploadFits({ name: 'a.PNG', size: 10 }, uploads.image_2mb)).toBe(true);
    expect(uploadFits({ name: 'a.gif', size: 10 }, uploads.image_2mb)).toBe(false);
  });
  it('needs no suffix if the rule allows it', () => {
    expect(uploadFits({ name: 'id_rsa', size: 10 }, uploads.key_file)).toBe(true);
    expect(uploadFits({ name: 'id.pem', size: 10 }, uploads.key_file)).toBe(false);
  });
  it('must not be too large', () => {
    expect(uploadFits({ name: 'a.zip', size: 1024 * 1024 + 1 }, uploads.zip_1mb)).toBe(false);
  });
  it('must not have too long a name', () => {
    expect(uploadFits({ name: `${'照'.repeat(21)}.jpg`, size: 10 }, uploads.photo)).toBe(false);
    expect(uploadFits({ name: `${'照'.repeat(20)}.jpg`, size: 10 }, uploads.photo)).toBe(true);
  });
});
