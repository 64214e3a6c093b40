import qrcode from 'qrcode-generator';

/** White modules around the code, which scanners need. */
const quiet = 4;

/** A QR code as SVG: one path with a square for each dark module. */
export const qrSvg = (text: string): string => {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  let path = '';
  for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) if (code.isDark(y, x)) path += `M${x} ${y}h1v1h-1z`;
  const edge = size + 2 * quiet;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-${quiet} -${quiet} ${edge} ${edge}" width="200" height="200" shape-rendering="crispEdges"><path fill="#fff" d="M-${quiet}-${quiet}h${edge}v${edge}h-${edge}z"/><path d="${path}"/></svg>`;
};
