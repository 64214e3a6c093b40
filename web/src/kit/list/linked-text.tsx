import { Link } from 'react-router';

interface LinkedTextProps {
  readonly text: string;
  readonly href: string | undefined;
}

/** A name with a link to its object, if there is a page to open. */
export const LinkedText = ({ text, href }: LinkedTextProps) =>
  href === undefined ? (
    text
  ) : (
    <Link className="act" to={href}>
      {text}
    </Link>
  );
