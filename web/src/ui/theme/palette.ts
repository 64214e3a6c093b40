interface Palette {
  readonly page: string;
  readonly surface: string;
  readonly raised: string;
  readonly line: string;
  readonly hairline: string;
  readonly text: string;
  readonly muted: string;
  readonly faint: string;
  readonly accent: string;
  readonly accentHover: string;
  readonly link: string;
  readonly tint: string;
  readonly hover: string;
  readonly head: string;
  readonly success: string;
  readonly warning: string;
  readonly error: string;
  /** Text on a destructive button. */
  readonly onError: string;
}

export const light: Palette = {
  page: '#f5f7f9',
  surface: '#ffffff',
  raised: '#ffffff',
  line: '#d5dbe3',
  hairline: '#e7ebf0',
  text: '#1a2330',
  muted: '#566273',
  faint: '#667385',
  accent: '#1d4fd8',
  accentHover: '#2a5be0',
  link: '#1d4fd8',
  tint: '#eaf0ff',
  hover: '#f4f6f9',
  head: '#f7f9fb',
  success: '#0d7a3c',
  warning: '#935a00',
  error: '#c2201d',
  onError: '#ffffff',
};

/** A separate dark palette with layered surfaces and lighter accents, not an inversion. */
export const dark: Palette = {
  page: '#0d1117',
  surface: '#151b23',
  raised: '#1c232d',
  line: '#323c49',
  hairline: '#252d38',
  text: '#e3e9f1',
  muted: '#a3afbf',
  faint: '#93a0b1',
  accent: '#3a6cf0',
  accentHover: '#2f5fe0',
  link: '#86aaff',
  tint: '#1b2a4d',
  hover: '#1b222c',
  head: '#1a212b',
  success: '#4cc38a',
  warning: '#e5a845',
  error: '#ff7d76',
  onError: '#2b0806',
};

export const fontStack =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif";
export const monoStack =
  "ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', Consolas, 'DejaVu Sans Mono', 'Noto Sans Mono', monospace";
