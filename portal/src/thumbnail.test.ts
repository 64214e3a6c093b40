import { describe, expect, test } from 'vitest';
import { builtInCodes, builtInDocument } from './built-in.ts';
import { withFormFields } from './form-fields.ts';
import { thumbnailSvg } from './thumbnail.ts';

const image = { sha256: 'a'.repeat(64), ext: 'png', width: 10, height: 10 } as const;

describe('the thumbnail of a document', () => {
  test.each(builtInCodes)('shows the color of the template %s and no text of an author', (code) => {
    const doc = builtInDocument(code, 'charged', ['<script>', '<script>']);
    const svg = thumbnailSvg(doc, () => undefined);
    expect(svg).toContain(doc.theme.primary);
    expect(svg).not.toContain('script');
    expect(svg).not.toMatch(/NaN|undefined/);
  });

  test('shows available images, and a frame of the same size for each missing one', () => {
    const doc = withFormFields(builtInDocument('ship', 'free', ['A', 'A']), { logo: image, banner: [image] }, 'zh');
    const withImages = thumbnailSvg(doc, () => 'data:image/png;base64,AA');
    const positions = [...withImages.matchAll(/<image href="[^"]+" (x=.+? y=.+? width=.+? height=".+?")/g)].map(([, position]) => position);
    expect(positions).toHaveLength(2);
    const withFrames = thumbnailSvg(doc, () => undefined);
    expect(withFrames).not.toContain('<image ');
    for (const position of positions) {
      expect(withFrames).toContain(`<rect ${position} `);
      expect(withImages).not.toContain(`<rect ${position} `);
    }
  });
});
