"""Static files under names that tell their content apart."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Also the imports inside ES modules get hashed names, so a page never mixes two versions of the scripts."""

    support_js_module_import_aggregation = True
