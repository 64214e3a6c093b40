export type NoticeKind = 'success' | 'warning' | 'error' | 'info';

interface NoticeOptions {
  readonly ms: number;
  readonly top: number;
}

let shown: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** A line at the top of the window that replaces the one before it. Plain DOM: the login page needs it before any component library is loaded. */
export const showNotice = (kind: NoticeKind, text: string, { ms, top }: NoticeOptions) => {
  clearTimeout(timer);
  shown?.remove();
  const line = document.createElement('div');
  line.className = `notice notice-${kind}`;
  line.setAttribute('role', kind === 'error' || kind === 'warning' ? 'alert' : 'status');
  line.style.top = `${top}px`;
  line.textContent = text;
  document.body.append(line);
  shown = line;
  timer = setTimeout(() => line.remove(), ms);
};
