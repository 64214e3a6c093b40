import type { FocusEvent, MouseEvent } from 'react';

let box: HTMLElement | undefined;
let watch: MutationObserver | undefined;

const hide = () => {
  watch?.disconnect();
  watch = undefined;
  box?.remove();
  box = undefined;
};

/** An element that is removed or hidden under the pointer sends no event, so the document is observed while a tooltip is shown. */
const hideWhenGone = (target: Element) => {
  watch = new MutationObserver(() => {
    if (!target.isConnected || !target.checkVisibility()) hide();
  });
  watch.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['style', 'class', 'hidden'] });
};

/** `data-tip="text"` shows the text; an empty one shows the element's own text if it is clipped. */
const show = (from: EventTarget) => {
  hide();
  const target = from instanceof Element ? from.closest<HTMLElement>('[data-tip]') : null;
  if (!target) return;
  const own = target.dataset.tip === '';
  if (own && target.scrollWidth <= target.clientWidth) return;
  const text = own ? target.textContent : target.dataset.tip;
  if (!text) return;
  box = document.createElement('div');
  box.className = 'tip';
  box.setAttribute('role', 'tooltip');
  box.textContent = text;
  document.body.append(box);
  const at = target.getBoundingClientRect();
  const above = at.top > box.offsetHeight + 10;
  box.style.top = `${above ? at.top - box.offsetHeight - 6 : at.bottom + 6}px`;
  const middle = at.left + at.width / 2 - box.offsetWidth / 2;
  box.style.left = `${Math.max(8, Math.min(middle, innerWidth - box.offsetWidth - 8))}px`;
  hideWhenGone(target);
};

/** Spread on a container: one tooltip for all cells inside, by mouse and keyboard. */
export const tips = {
  onMouseOver: (e: MouseEvent) => show(e.target),
  onMouseOut: hide,
  onFocus: (e: FocusEvent) => show(e.target),
  onBlur: hide,
  onClick: hide,
};
