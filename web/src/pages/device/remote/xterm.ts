import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { copyText } from '../../../ui/browser/copy.ts';
import { monoStack } from '../../../ui/theme/palette.ts';

/** Dark in both themes, as terminals usually are; every color is readable on it. */
const theme: ITheme = {
  background: '#0d1117',
  foreground: '#e3e9f1',
  cursor: '#86aaff',
  selectionBackground: '#2f4a86',
  black: '#4b5563',
  red: '#ff7d76',
  green: '#4cc38a',
  yellow: '#e5a845',
  blue: '#86aaff',
  magenta: '#d2a8ff',
  cyan: '#56d4dd',
  white: '#e3e9f1',
  brightBlack: '#93a0b1',
  brightRed: '#ffa198',
  brightGreen: '#7ee2a8',
  brightYellow: '#f2cc60',
  brightBlue: '#a5c2ff',
  brightMagenta: '#e2c5ff',
  brightCyan: '#8be9f0',
  brightWhite: '#ffffff',
};

const copies = (e: KeyboardEvent, isSelected: boolean) =>
  (e.ctrlKey && e.shiftKey && e.code === 'KeyC') ||
  (e.ctrlKey && e.code === 'Insert') ||
  (isSelected && (e.ctrlKey || e.metaKey) && e.code === 'KeyC');
const pastes = (e: KeyboardEvent) => e.ctrlKey && e.code === 'KeyV';

export const makeTerminal = (
  container: HTMLElement,
  options: { readonly label: string; readonly fontSize?: number; readonly readOnly?: boolean },
) => {
  const terminal = new Terminal({
    theme,
    fontFamily: monoStack,
    fontSize: options.fontSize ?? 13,
    scrollback: 5000,
    disableStdin: options.readOnly === true,
  });
  terminal.open(container);
  terminal.textarea?.setAttribute('aria-label', options.label);
  // With a selection Ctrl+C copies, otherwise it interrupts; paste is left to the browser.
  terminal.attachCustomKeyEventHandler((e) => {
    if (pastes(e)) return false;
    if (!copies(e, terminal.hasSelection())) return true;
    if (e.type === 'keydown') void copyText(terminal.getSelection());
    e.preventDefault();
    return false;
  });
  return terminal;
};

/** Fits the terminal to its container, also after resize. */
export const fitTerminal = (terminal: Terminal, container: HTMLElement) => {
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  fit.fit();
  let frame = 0;
  const watcher = new ResizeObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => fit.fit());
  });
  watcher.observe(container);
  return () => {
    cancelAnimationFrame(frame);
    watcher.disconnect();
  };
};

/** The selected text, or the whole buffer. */
export const textOf = (terminal: Terminal): string => {
  if (terminal.hasSelection()) return terminal.getSelection();
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '');
  return lines.join('\n').trimEnd();
};
