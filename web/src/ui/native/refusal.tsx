/** An error text at its field. */
export const Refusal = ({ id, text }: { readonly id?: string; readonly text: string | undefined }) =>
  text && (
    <span className="refusal" role="alert" id={id}>
      {text}
    </span>
  );
