import qrcode from 'qrcode-generator';

/** A QR code as SVG, for pages that show no inline images. */
export const qrSvg = (text: string): string => {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  return code.createSvgTag({ cellSize: 4, margin: 0, scalable: true });
};
