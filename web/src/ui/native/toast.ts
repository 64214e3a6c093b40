export type ToastKind = 'success' | 'warning' | 'error' | 'info';

/** Opens the page with the details. */
export interface ToastLink {
  readonly label: string;
  readonly href: string;
  readonly onOpen: () => void;
}

interface ToastOptions {
  readonly ms: number;
  readonly top: number;
  readonly link?: ToastLink | undefined;
}

let shown: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

const anchorOf = ({ label, href, onOpen }: ToastLink) => {
  const anchor = document.createElement('a');
  anchor.textContent = label;
  anchor.href = href;
  anchor.addEventListener('click', (e) => {
    // The browser opens a new tab itself.
    if (e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    shown?.remove();
    onOpen();
  });
  return anchor;
};

/**
 * A notification at the top of the window; it replaces the previous one. Plain DOM, because the login page needs it before the component
 * library is loaded.
 */
export const showToast = (kind: ToastKind, text: string, { ms, top, link }: ToastOptions) => {
  clearTimeout(timer);
  shown?.remove();
  const line = document.createElement('div');
  line.className = 'toast';
  line.dataset.tone = kind;
  line.setAttribute('role', kind === 'error' || kind === 'warning' ? 'alert' : 'status');
  line.style.top = `${top}px`;
  line.textContent = text;
  if (link) line.append(' ', anchorOf(link));
  document.body.append(line);
  shown = line;
  timer = setTimeout(() => line.remove(), ms);
};
