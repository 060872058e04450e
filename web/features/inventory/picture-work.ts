// Gets an item's picture while its form is open: by the link when its field is left, or as a photo.
import { useRef, useState } from "react";
import { asApiError } from "#web/lib/api-error.ts";
import { withPicture, type FoundPicture, type ItemDraft } from "./item-draft.ts";
import { findImage, uploadPhoto } from "./picture-api.ts";
import { shrinkPhoto } from "./shrink-photo.ts";

export type PictureWork = {
  readonly state: "idle" | "looking" | "nothing-found" | "uploading";
  /** Why a photo was not taken. */
  readonly error: string | undefined;
  /** Looks for the picture of this link, unless it has its picture already. */
  readonly look: (link: string) => void;
  readonly upload: (file: File) => void;
  /** The draft with the pictures that are still on their way. Waits a few seconds at most. */
  readonly settled: (draft: ItemDraft) => Promise<ItemDraft>;
  readonly isSettling: boolean;
  /**
   * Call it when that draft is saved. A photo that came too late for it is nobody's: it is not put into the form any
   * more, and its address is returned if it is there already. Undefined if there is no such photo.
   */
  readonly leavePhoto: () => { readonly imageUrl: string | undefined } | undefined;
};

/** Saving waits no longer: a picture can come later, an item cannot. */
const WAITS_MS = 4_000;

type Photo = { readonly sent: Promise<FoundPicture | undefined> };

type Uploads = {
  readonly isUploading: boolean;
  readonly error: string | undefined;
  readonly upload: (file: File) => void;
  /** The photo that is on its way. */
  readonly photo: () => Photo | undefined;
  readonly drop: (photo: Photo) => void;
};

/** Only the newest photo is used. */
function useUploads(onFound: (picture: FoundPicture) => void): Uploads {
  const [isUploading, setUploading] = useState(false);
  const [error, setError] = useState<string>();
  const current = useRef<Photo | undefined>(undefined);

  async function send(file: File): Promise<FoundPicture | undefined> {
    const small = await shrinkPhoto(file).catch(() => undefined);
    if (small === undefined) {
      setError("This photo cannot be read. Choose a PNG, JPEG or WebP picture");
      return undefined;
    }
    try {
      return { link: null, imageUrl: await uploadPhoto(small), asin: "" };
    } catch (thrown) {
      setError(`Error uploading the photo: ${asApiError(thrown).message}`);
      return undefined;
    }
  }

  async function take(photo: Photo): Promise<void> {
    const picture = await photo.sent;
    if (current.current === photo) {
      current.current = undefined;
      setUploading(false);
      if (picture !== undefined) {
        onFound(picture);
      }
    }
  }

  return {
    isUploading,
    error,
    upload(file) {
      setError(undefined);
      setUploading(true);
      current.current = { sent: send(file) };
      void take(current.current);
    },
    photo: () => current.current,
    drop(photo) {
      setError(undefined);
      if (current.current === photo) {
        current.current = undefined;
        setUploading(false);
      }
    },
  };
}

/** What comes of it within the time that saving waits. */
async function inTime(
  picture: Promise<FoundPicture | undefined> | undefined,
): Promise<FoundPicture | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), WAITS_MS);
  const found = await Promise.race([picture, late]);
  clearTimeout(timer);
  return found;
}

/** `draft` is filled in while rendering, so that nothing typed in the meantime is lost. */
export function usePictureWork(
  draft: ItemDraft,
  setDraft: (draft: ItemDraft) => void,
): PictureWork {
  const [linkState, setLinkState] = useState<"idle" | "looking" | "nothing-found">("idle");
  const [found, setFound] = useState<FoundPicture>();
  const [applied, setApplied] = useState<FoundPicture>();
  const [isSettling, setSettling] = useState(false);
  const uploads = useUploads(setFound);
  const looking = useRef<Promise<FoundPicture | undefined>>(undefined);
  const lastLink = useRef(draft.link.trim());
  const late = useRef<{ readonly photo: Photo; imageUrl: string | undefined }>(undefined);
  if (found !== undefined && found !== applied) {
    setApplied(found);
    setDraft(withPicture(draft, found, applied));
  }

  async function lookFor(link: string): Promise<FoundPicture | undefined> {
    try {
      const { imageUrl, asin } = await findImage(link);
      const picture = { link, imageUrl: imageUrl ?? "", asin: asin ?? "" };
      if (lastLink.current === link) {
        setLinkState(asin !== null && imageUrl === null ? "nothing-found" : "idle");
        setFound(picture);
      }
      return picture;
    } catch {
      // As the specification has it: failures return nothing. The next time the field is left asks again.
      lastLink.current = "";
      setLinkState("idle");
      return undefined;
    }
  }

  /** Remembers a photo that is not there in time. */
  async function photoInTime(): Promise<FoundPicture | undefined> {
    const photo = uploads.photo();
    late.current = undefined;
    const picture = photo === undefined ? undefined : await inTime(photo.sent);
    if (photo !== undefined && picture === undefined) {
      const missed = { photo, imageUrl: undefined as string | undefined };
      late.current = missed;
      void photo.sent.then((came) => {
        missed.imageUrl = came?.imageUrl;
      });
    }
    return picture;
  }

  return {
    state: uploads.isUploading ? "uploading" : linkState,
    error: uploads.error,
    isSettling,
    look(link) {
      const asked = link.trim();
      const isAnother = asked !== lastLink.current;
      lastLink.current = asked;
      if (asked === "") {
        setLinkState("idle");
        setFound({ link: "", imageUrl: "", asin: "" });
      } else if (linkState !== "looking" ? isAnother || draft.imageUrl === "" : isAnother) {
        setLinkState("looking");
        looking.current = lookFor(asked);
      }
    },
    upload: uploads.upload,
    async settled(now) {
      if (linkState !== "looking" && uploads.photo() === undefined) {
        late.current = undefined;
        return now;
      }
      setSettling(true);
      const pictures = await Promise.all([
        linkState === "looking" ? inTime(looking.current) : undefined,
        photoInTime(),
      ]);
      setSettling(false);
      return pictures.reduce<ItemDraft>(
        (filled, picture) =>
          picture === undefined ? filled : withPicture(filled, picture, applied),
        now,
      );
    },
    leavePhoto() {
      const missed = late.current;
      late.current = undefined;
      if (missed === undefined) {
        return undefined;
      }
      uploads.drop(missed.photo);
      return { imageUrl: missed.imageUrl };
    },
  };
}
