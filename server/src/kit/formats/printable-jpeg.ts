import sharp from 'sharp';

/** A PDF holds JPEG data as it is, so other pictures are converted, on white paper. Undefined: not a picture. */
export const printableJpeg = async (bytes: Buffer): Promise<Buffer | undefined> => {
  if (bytes.length > 2 && bytes.readUInt16BE(0) === 0xffd8) return bytes;
  try {
    return await sharp(bytes, { failOn: 'error' }).flatten({ background: '#fff' }).jpeg({ quality: 92 }).toBuffer();
  } catch {
    return undefined;
  }
};
