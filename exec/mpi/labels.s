// There is no code here: the compiler takes declarations without bodies where a package has assembly.
