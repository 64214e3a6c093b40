let isDown = false;
addEventListener(
  'pointerdown',
  () => {
    isDown = true;
  },
  true,
);
for (const end of ['pointerup', 'pointercancel'])
  addEventListener(
    end,
    () => {
      isDown = false;
    },
    true,
  );

/** At once, or when the button that is held down has been let go: what moves the page under a pointer would lose its click. */
export const afterPointerUp = (work: () => void) => {
  if (isDown) addEventListener('pointerup', () => setTimeout(work), { once: true, capture: true });
  else work();
};
