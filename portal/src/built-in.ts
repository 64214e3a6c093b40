import type { Text } from '@farlink/contract/kit/text.ts';
import { defaultDocument } from './default-document.ts';
import type { Block, PortalDocument, Theme } from './document.ts';

/** Templates of the library that come with the product, by device type. */
export const builtInCodes = ['fixed', 'vehicle', 'ship', 'portable'] as const;
export type BuiltInCode = (typeof builtInCodes)[number];

interface BuiltIn {
  readonly name: Text;
  readonly theme: Theme;
  readonly welcome: Text;
}

const builtIns: Readonly<Record<BuiltInCode, BuiltIn>> = {
  fixed: {
    name: ['标准·固定站', 'Standard, fixed'],
    theme: { primary: '#1668dc', background: '#f3f6fb', scheme: 'auto', radius: 8, size: 'normal' },
    welcome: ['欢迎使用卫星宽带网络', 'Welcome to satellite broadband'],
  },
  vehicle: {
    name: ['标准·车载站', 'Standard, vehicle'],
    theme: { primary: '#0e7c86', background: '#eef6f6', scheme: 'auto', radius: 4, size: 'large' },
    welcome: ['一路有网，平安出行', 'Online on the road'],
  },
  ship: {
    name: ['标准·船载站', 'Standard, ship'],
    theme: { primary: '#2f6fed', background: '#0d2847', scheme: 'light', radius: 16, size: 'normal' },
    welcome: ['欢迎登船，海上也能上网', 'Welcome aboard. Stay online at sea.'],
  },
  portable: {
    name: ['标准·便携站', 'Standard, portable'],
    theme: { primary: '#b45309', background: '#faf7f2', scheme: 'auto', radius: 8, size: 'large' },
    welcome: ['现场网络已就绪', 'The field network is ready'],
  },
};

export const isBuiltInCode = (code: unknown): code is BuiltInCode => builtInCodes.some((one) => one === code);

export const builtInName = (code: BuiltInCode): Text => builtIns[code].name;

/** The first document of a portal that uses a built-in template. */
export const builtInDocument = (code: BuiltInCode, billing: 'free' | 'charged', name: Text): PortalDocument => {
  const { theme, welcome } = builtIns[code];
  const start = defaultDocument(billing, name);
  return {
    ...start,
    theme,
    blocks: start.blocks.map((block): Block => (block.kind === 'welcome' ? { ...block, text: [welcome[0], welcome[1]] } : block)),
  };
};
