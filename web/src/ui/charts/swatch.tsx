/** A color with its code. */
export const Swatch = ({ color }: { readonly color: string }) => (
  <span className="swatch">
    <span className="swatch-color" style={{ background: color }} aria-hidden />
    <span className="mono">{color.toUpperCase()}</span>
  </span>
);
