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

/** Runs at once, or after the pressed pointer is released, because a layout change would lose the click. */
export const afterPointerUp = (work: () => void) => {
  if (isDown) addEventListener('pointerup', () => setTimeout(work), { once: true, capture: true });
  else work();
};
