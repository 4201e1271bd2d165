package find

import "go/types"

// Subst returns a type with type arguments in place of its type parameters.
func Subst(t types.Type, args map[*types.TypeParam]types.Type) types.Type {
	if len(args) == 0 || t == nil {
		return t
	}
	switch t := t.(type) {
	case *types.Alias:
		return Subst(types.Unalias(t), args)
	case *types.TypeParam:
		if a := args[t]; a != nil {
			return a
		}
	case *types.Slice:
		return types.NewSlice(Subst(t.Elem(), args))
	case *types.Array:
		return types.NewArray(Subst(t.Elem(), args), t.Len())
	case *types.Pointer:
		return types.NewPointer(Subst(t.Elem(), args))
	case *types.Map:
		return types.NewMap(Subst(t.Key(), args), Subst(t.Elem(), args))
	case *types.Struct:
		var fields []*types.Var
		var tags []string
		for k := range t.NumFields() {
			v := t.Field(k)
			fields = append(fields, types.NewField(v.Pos(), v.Pkg(), v.Name(), Subst(v.Type(), args), v.Embedded()))
			tags = append(tags, t.Tag(k))
		}
		return types.NewStruct(fields, tags)
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, Subst(t.Params(), args).(*types.Tuple), Subst(t.Results(), args).(*types.Tuple), t.Variadic())
	case *types.Named:
		if t.TypeArgs().Len() == 0 {
			return t
		}
		var of []types.Type
		for a := range t.TypeArgs().Types() {
			of = append(of, Subst(a, args))
		}
		if n, err := types.Instantiate(nil, t.Origin(), of, false); err == nil {
			return n
		}
	case *types.Tuple:
		var vars []*types.Var
		for v := range t.Variables() {
			vars = append(vars, types.NewVar(v.Pos(), v.Pkg(), v.Name(), Subst(v.Type(), args)))
		}
		return types.NewTuple(vars...)
	}
	return t
}
